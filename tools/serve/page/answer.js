// What the server answers, on the right of the board.

import { $, el } from './dom.js';
import {
  CLASSES, LINE_ENDS, SIDES, classOfMove, facts, group, toMate, toZeroing, verdict, whyNowhere,
} from './words.js';

const mark = kind => el ('span', { className: `mark ${kind.name}`, 'aria-hidden': 'true' }, kind.mark);

const pairs = list => list.flatMap (([name, words]) => [el ('div', {}, el ('dt', {}, name), el ('dd', {}, words))]);

/* ------------------------------------------------------------------ verdict */

const showVerdict = (title, reason, list, note) => {
  $ ('value').textContent = title;
  $ ('reason').textContent = reason;
  $ ('facts').replaceChildren (...pairs (list));
  $ ('note').textContent = note;
  $ ('note').className = note.startsWith ('Damaged') ? 'damage' : '';
};

/* -------------------------------------------------------------------- moves */

const ZEROING = 'a capture, a pawn move or mate';

// A column that no move has anything in is left out.
const columnsOf = moves => [
  { title: 'To mate', of: toMate },
  { title: 'To zeroing', of: toZeroing },
].filter (column => moves.some (column.of));

const moveRow = (move, columns, on) => {
  const words = columns.map (column => column.of (move)).filter (text => text);
  const kind = classOfMove (move);
  const button = el ('button', {
    type: 'button',
    onclick: () => on.play ([move]),
    'aria-label': [move.san, kind.title, ...words, ...(move.best ? ['best'] : [])].join (', '),
  }, move.san);
  const best = move.best ? [el ('span', { className: 'best' }, 'best')] : [];
  return el ('tr', {
    onpointerenter: () => on.point (move.uci),
    onpointerleave: () => on.point (),
  }, el ('th', { scope: 'row' }, button, ...best), ...columns.map (column => el ('td', {}, column.of (move))));
};

const groupOf = (kind, moves, columns, on) => {
  const title = el ('th', { scope: 'rowgroup', colSpan: columns.length + 1 }, mark (kind), kind.title,
                    el ('span', { className: 'count' }, String (moves.length)));
  return el ('tbody', { className: kind.tone }, el ('tr', { className: 'class' }, title),
             ...moves.map (move => moveRow (move, columns, on)));
};

const showMoves = (moves, on) => {
  const columns = columnsOf (moves);
  const heads = columns.map (column => el ('th', { scope: 'col' }, column.title));
  const groups = CLASSES.map (kind => ({ kind, moves: moves.filter (move => classOfMove (move) === kind) }))
    .filter (found => found.moves.length)
    .map (found => groupOf (found.kind, found.moves, columns, on));
  const head = el ('thead', {}, el ('tr', {}, el ('th', { scope: 'col' }, 'Move'), ...heads));
  const legend = moves.some (toZeroing) ? [el ('p', { className: 'legend' }, `Zeroing: ${ZEROING}.`)] : [];
  $ ('moves').replaceChildren (el ('table', {}, head, ...groups), ...legend);
  $ ('s-moves').hidden = !moves.length;
};

/* --------------------------------------------------------------- best line */

const numberOf = (position, ply) => {
  const black = position.stm === 'b';
  const halves = ply + (black ? 1 : 0);
  const number = position.full + Math.floor (halves / 2);
  if (halves % 2 === 0)
    return `${number}.`;
  return ply === 0 ? `${number}\u2026` : '';
};

// answer: of /standard/mainline, or null for none.
export const showLine = (answer, position, on) => {
  const line = answer && answer.mainline ? answer.mainline : [];
  // a number with the move and the reply
  const turns = [];
  line.forEach ((move, ply) => {
    const number = numberOf (position, ply);
    const onclick = () => on.play (line.slice (0, ply + 1));
    if (number)
      turns.push (el ('span', { className: 'pair' }, el ('span', { className: 'number' }, number)));
    turns[turns.length - 1].append (el ('button', { type: 'button', onclick }, move.san));
  });
  const end = line.length ? LINE_ENDS[answer.end] || '' : '';
  $ ('line').replaceChildren (...turns, el ('span', { className: 'end' }, end));
  $ ('s-line').hidden = !line.length;
};

/* ------------------------------------------------------- places in tables */

const slotWords = place => {
  if (!place.stored)
    return 'not stored for this side: its moves tell the value';
  return `${group (place.slot)} of ${group (place.slots)}`;
};

const blockWords = block => {
  if (!block)
    return 'no blocks';
  const slots = `${group (block.slots)} slots from ${group (block.first)} on`;
  return `${group (block.number)}: ${group (block.bits)} bits for ${slots}`;
};

const placeFacts = place => {
  const list = [['Codec', place.codec], ['Side', `${SIDES[place.side]} to move`], ['Slot', slotWords (place)]];
  if (place.stored) {
    const sides = place.joint ? ' for both sides' : '';
    list.push (['Block', blockWords (place.block)]);
    list.push (['Stream', `${group (place.stream_bits)} bits${sides}`]);
    list.push (['Bits a slot', place.bits_per_slot.toFixed (3)]);
  }
  return list;
};

const showPlaces = (tables, answer) => {
  const cards = tables.map (place => {
    const list = el ('dl', {}, ...pairs (placeFacts (place)));
    return el ('div', { className: 'place' }, el ('h3', {}, place.file), list);
  });
  $ ('places').replaceChildren (...(cards.length ? cards : [el ('p', {}, whyNowhere (answer))]));
  $ ('s-places').hidden = false;
};

/* ------------------------------------------------------------------ all of it */

const link = fen => {
  $ ('json').href = `standard?fen=${encodeURIComponent (fen)}`;
  $ ('more').hidden = false;
};

const noteOf = answer => {
  if (answer.damage)
    return `Damaged: ${answer.damage}`;
  if (answer.no_table)
    return `${answer.no_table[0].toUpperCase ()}${answer.no_table.slice (1)}.`;
  return '';
};

// on.play (moves), on.point (uci)
export const showAnswer = (answer, position, fen, on) => {
  const reason = `${answer.ending}, ${SIDES[position.stm]} to move`;
  showVerdict (verdict (answer, position.stm), reason, facts (answer), noteOf (answer));
  showMoves (answer.moves, on);
  showPlaces (answer.tables || [], answer);
  link (fen);
};

// Nothing of another position stays.
export const showRefusal = (title, sentence, missing) => {
  showVerdict (title, sentence, missing ? [['Tables not here', missing.join (', ')]] : [], '');
  $ ('moves').replaceChildren ();
  $ ('places').replaceChildren ();
  for (const id of ['s-moves', 's-places', 'more'])
    $ (id).hidden = true;
  showLine (null);
};
