// The page: one position, what was played before, and what the server says of it. The address of the page
// holds the position behind '#', so that it can be kept and sent.

import { START, isWhite, noPosition, play, readFen, squareOf, writeFen } from './fen.js';
import { NAMES, drawing, manName } from './men.js';
import { $, el } from './dom.js';
import { createBoard } from './board.js';
import { showAnswer, showLine, showRefusal } from './answer.js';

const state = {
  position: noPosition (),
  // As it was given: the server alone says whether it is a position.
  text: '',
  last: [],
  past: [],
};

// The number of the newest question: what comes back for an older one is dropped.
let asked = 0;

/* ------------------------------------------------------------- the server */

const ask = async path => {
  const reply = await fetch (path);
  return reply.json ();
};

const askAbout = async (path, fen) => {
  try {
    return await ask (`${path}?fen=${encodeURIComponent (fen)}`);
  } catch (e) {
    return { error: 'The server does not answer.', silent: true };
  }
};

const titleOf = answer => {
  if (answer.silent)
    return 'No answer';
  return answer.missing ? 'Not known' : 'No position that can be asked for';
};

const showAsked = async () => {
  asked++;
  const ticket = asked;
  const { position, text } = state;
  $ ('answer').setAttribute ('aria-busy', 'true');
  const answer = await askAbout ('standard', text);
  if (ticket !== asked)
    return;
  $ ('answer').removeAttribute ('aria-busy');
  board.show (position, answer.moves || [], state.last);
  if (answer.error) {
    showRefusal (titleOf (answer), answer.error, answer.missing);
    return;
  }
  showAnswer (answer, position, text, actions);
  const line = await askAbout ('standard/mainline', text);
  if (ticket === asked)
    showLine (line, position, actions);
};

/* ------------------------------------------------------------ the position */

const show = () => {
  $ ('promote').hidden = true;
  $ ('fen').value = state.text;
  $ ('back').disabled = !state.past.length;
  document.querySelector (`input[name=stm][value=${state.position.stm}]`).checked = true;
  history.replaceState (null, '', `#${encodeURI (state.text).replace (/%20/g, '_')}`);
  board.show (state.position, [], state.last);
  showLine (null);
  showAsked ();
};

const remember = () => {
  state.past.push ({ position: state.position, text: state.text, last: state.last });
};

const showPosition = (position, last) => {
  remember ();
  state.position = position;
  state.text = writeFen (position);
  state.last = last;
  show ();
};

// A text that has no board leaves the board empty.
const showText = text => {
  const position = readFen (text);
  state.position = position || noPosition ();
  state.text = position ? text.trim ().replace (/\s+/g, ' ') : text;
  state.last = [];
  show ();
};

const playMoves = moves => {
  let position = state.position;
  let uci = '';
  for (const move of moves) {
    uci = move.uci;
    position = play (position, uci);
  }
  showPosition (position, [squareOf (uci), squareOf (uci.slice (2))]);
};

const takeBack = () => {
  const before = state.past.pop ();
  if (!before)
    return;
  Object.assign (state, before);
  show ();
};

// What was played before does not count for a position that is set up.
const edit = changes => {
  const men = [...state.position.men];
  for (const [square, man] of changes)
    men[square] = man;
  showPosition ({ ...state.position, men, castling: '-', ep: '-', half: 0 }, []);
};

const setTurn = stm => {
  showPosition ({ ...state.position, stm, ep: '-', half: 0 }, []);
};

const keepKings = () => {
  const men = state.position.men.map (man => man.toLowerCase () === 'k' ? man : '');
  showPosition ({ ...state.position, men, castling: '-', ep: '-', half: 0 }, []);
};

/* ------------------------------------------------------------------- board */

// Several moves between two squares are promotions.
const chooseMove = moves => {
  if (moves.length === 1) {
    playMoves (moves);
    return;
  }
  const choices = moves.map (move => {
    const onclick = () => playMoves ([move]);
    return el ('button', { type: 'button', onclick }, NAMES[move.uci[4]]);
  });
  $ ('promote').replaceChildren (el ('span', {}, 'Promote to'), ...choices);
  $ ('promote').hidden = false;
  choices[0].focus ();
};

const board = createBoard ($ ('board'), { moves: chooseMove, edit });

const actions = { play: playMoves, point: board.point };

/* ---------------------------------------------------------------- controls */

// A button that stays down; on (down): what it does.
const onToggle = (button, on) => {
  button.onclick = () => {
    const down = button.getAttribute ('aria-pressed') !== 'true';
    button.setAttribute ('aria-pressed', down);
    on (down);
  };
};

const chooseBrush = man => {
  board.brush (man);
  for (const b of $ ('palette').children)
    b.setAttribute ('aria-pressed', b.dataset.man === man);
};

const brush = man => {
  const b = el ('button', {
    type: 'button',
    'aria-pressed': 'false',
    'aria-label': man === 'x' ? 'remove' : manName (man),
    className: man === 'x' || isWhite (man) ? 'white' : 'black',
  }, man === 'x' ? '\u2715' : drawing (man));
  b.dataset.man = man;
  b.onclick = () => chooseBrush (b.getAttribute ('aria-pressed') === 'true' ? '' : man);
  return b;
};

$ ('palette').append (...[...'KQRBNPkqrbnpx'].map (brush));
onToggle ($ ('turned'), board.turn);
onToggle ($ ('editing'), down => {
  $ ('tools').hidden = !down;
  // no move is being chosen any more
  $ ('promote').hidden = true;
  chooseBrush ('');
  board.edit (down);
});
$ ('back').onclick = takeBack;
$ ('kings').onclick = keepKings;
$ ('load').onsubmit = e => {
  e.preventDefault ();
  remember ();
  showText ($ ('fen').value);
};
for (const radio of document.querySelectorAll ('input[name=stm]'))
  radio.onchange = () => setTurn (radio.value);

/* ------------------------------------------------------------- the address */

const textInAddress = () => {
  const text = location.hash.slice (1).replace (/_/g, ' ');
  try {
    return decodeURIComponent (text);
  } catch (e) {
    // a lone %
    return text;
  }
};

addEventListener ('hashchange', () => {
  remember ();
  showText (textInAddress ());
});

const showAbout = async () => {
  const info = await ask ('info');
  const n = info.tables.filter (table => !table.error).length;
  const words = `${n} ${n === 1 ? 'table' : 'tables'}`;
  $ ('about').replaceChildren (el ('a', { href: 'tables.html' }, words), `, subdef ${info.version}`);
};

showText (textInAddress () || START);
showAbout ().catch (() => {});
