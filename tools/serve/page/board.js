// The board: it draws a position, and tells moves that were made on it and changes while setting up, by click,
// drag or keys.

import { squareName, squareOf } from './fen.js';
import { drawing, manName } from './men.js';
import { el } from './dom.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Pixels that a pointer goes before a press is a drag.
const DRAG = 6;

// root: an empty element. on.moves (moves): one of these is to be played, all from and to the same squares;
// on.edit (changes): pairs of a square and what stands there now.
export const createBoard = (root, on) => {
  const squares = Array (64);
  let men = Array (64).fill ('');
  let moves = [];
  let last = [];
  let turned = false;
  let editing = false;
  // What a click puts: a man, 'x' for nothing, '' to move what stands there.
  let brush = '';
  // The square whose man is to move, or -1; the square that Tab reaches; a man under way.
  let from = -1;
  let at = 0;
  let drag = null;

  /* ---------------------------------------------------------------- drawing */

  // Numbers of squares as they are shown, from the upper left one.
  const shown = () => [...Array (64).keys ()].map (i => turned ? (i & 56) | (7 - (i & 7)) : (56 - (i & 56)) | (i & 7));

  const legal = (a, b) => moves.filter (m => squareOf (m.uci) === a && squareOf (m.uci.slice (2)) === b);

  const label = square => {
    const state = square === from ? ', taken' : from >= 0 && legal (from, square).length ? ', possible' : '';
    return `${squareName (square)}, ${manName (men[square])}${state}`;
  };

  const classes = square => [
    ((square >> 3) + square) % 2 ? 'light' : 'dark',
    square === from ? 'from' : '',
    from >= 0 && legal (from, square).length ? 'to' : '',
    last.includes (square) ? 'last' : '',
    men[square] ? 'full' : '',
  ].filter (name => name).join (' ');

  // place: 0 to 63, as shown. Ranks stand along the left edge, files along the lower one.
  const drawSquare = (square, place) => {
    const b = el ('button', {
      type: 'button',
      role: 'gridcell',
      tabIndex: square === at ? 0 : -1,
      className: classes (square),
      'aria-label': label (square),
    });
    b.dataset.square = square;
    if (place % 8 === 0)
      b.append (el ('span', { className: 'rank', 'aria-hidden': 'true' }, squareName (square)[1]));
    if (place > 55)
      b.append (el ('span', { className: 'file', 'aria-hidden': 'true' }, squareName (square)[0]));
    if (men[square])
      b.append (drawing (men[square]));
    squares[square] = b;
    return b;
  };

  const draw = () => {
    const focused = root.contains (document.activeElement);
    const cells = shown ().map (drawSquare);
    const rows = [];
    for (let r = 0; r < 64; r += 8)
      rows.push (el ('div', { role: 'row' }, ...cells.slice (r, r + 8)));
    root.replaceChildren (...rows);
    if (focused)
      squares[at].focus ();
  };

  const take = square => {
    from = square;
    draw ();
  };

  /* ------------------------------------------------------ moves and changes */

  const tryMove = (a, b) => {
    const found = legal (a, b);
    from = -1;
    if (found.length)
      on.moves (found);
    return found.length > 0;
  };

  const edit = changes => {
    from = -1;
    on.edit (changes);
  };

  const clickEditing = square => {
    if (brush)
      edit ([[square, brush === 'x' || men[square] === brush ? '' : brush]]);
    else if (from === square)
      take (-1);
    else if (from >= 0)
      edit ([[square, men[from]], [from, '']]);
    else if (men[square])
      take (square);
  };

  const click = square => {
    at = square;
    if (editing)
      clickEditing (square);
    else if (from < 0 || !tryMove (from, square))
      take (from !== square && moves.some (m => squareOf (m.uci) === square) ? square : -1);
  };

  /* --------------------------------------------------------------- pointers */

  const squareUnder = e => {
    const under = document.elementFromPoint (e.clientX, e.clientY);
    const b = under && under.closest ('#board [data-square]');
    return b ? Number (b.dataset.square) : -1;
  };

  const endDrag = () => {
    if (drag && drag.ghost)
      drag.ghost.remove ();
    drag = null;
  };

  const drop = (a, b) => {
    if (a === b)
      return;
    if (editing)
      edit (b < 0 ? [[a, '']] : [[b, men[a]], [a, '']]);
    else {
      if (b >= 0)
        tryMove (a, b);
      draw ();
    }
  };

  root.addEventListener ('pointerdown', e => {
    const b = e.target.closest ('[data-square]');
    if (b && men[b.dataset.square] && e.button === 0)
      drag = { square: Number (b.dataset.square), x: e.clientX, y: e.clientY, ghost: null };
  });
  addEventListener ('pointermove', e => {
    if (!drag)
      return;
    if (!drag.ghost && Math.hypot (e.clientX - drag.x, e.clientY - drag.y) > DRAG) {
      const size = squares[drag.square].offsetWidth;
      drag.ghost = el ('div', { id: 'ghost' }, drawing (men[drag.square]));
      drag.ghost.style.width = `${size}px`;
      drag.half = size / 2;
      document.body.append (drag.ghost);
    }
    if (drag.ghost) {
      drag.ghost.style.left = `${e.clientX - drag.half}px`;
      drag.ghost.style.top = `${e.clientY - drag.half}px`;
    }
  });
  addEventListener ('pointerup', e => {
    const dragged = drag && drag.ghost ? drag.square : -1;
    endDrag ();
    if (dragged >= 0)
      drop (dragged, squareUnder (e));
  });
  addEventListener ('pointercancel', endDrag);
  root.addEventListener ('click', e => {
    const b = e.target.closest ('[data-square]');
    if (b)
      click (Number (b.dataset.square));
  });

  /* ------------------------------------------------------------------- keys */

  const step = ([files, ranks]) => {
    const sign = turned ? -1 : 1;
    const file = (at & 7) + sign * files;
    const rank = (at >> 3) + sign * ranks;
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
      squares[8 * rank + file].focus ();
  };

  root.addEventListener ('focusin', e => {
    squares[at].tabIndex = -1;
    at = Number (e.target.dataset.square);
    squares[at].tabIndex = 0;
  });
  root.addEventListener ('keydown', e => {
    if (STEPS[e.key]) {
      step (STEPS[e.key]);
      e.preventDefault ();
      return;
    }
    if (e.key === 'Escape') {
      take (-1);
      return;
    }
    if (!editing || e.ctrlKey || e.metaKey || e.altKey)
      return;
    if (/^[pnbrqk]$/i.test (e.key))
      edit ([[at, e.key]]);
    else if (e.key === 'Delete' || e.key === 'Backspace')
      edit ([[at, '']]);
    else
      return;
    e.preventDefault ();
  });

  draw ();
  return {
    show (position, legalMoves, marked) {
      men = position.men;
      moves = legalMoves;
      last = marked;
      from = -1;
      draw ();
    },
    turn (on) {
      turned = on;
      draw ();
    },
    edit (on) {
      editing = on;
      take (-1);
    },
    brush (man) {
      brush = man;
    },
    // Marks the squares of a move; none: no longer.
    point (uci) {
      const named = uci ? [squareOf (uci), squareOf (uci.slice (2))] : [];
      squares.forEach ((b, square) => b.classList.toggle ('hint', named.includes (square)));
    },
  };
};
