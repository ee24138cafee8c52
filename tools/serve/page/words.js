// Results in words. Marks and words tell classes apart; colours only repeat them.

export const SIDES = { w: 'White', b: 'Black' };

const OTHER = { w: 'b', b: 'w' };

// Of a move: the category of the position behind it, as its player sees it.
const TURNED = {
  'loss': 'win',
  'syzygy-loss': 'syzygy-win',
  'maybe-loss': 'maybe-win',
  'blessed-loss': 'cursed-win',
  'draw': 'draw',
  'cursed-win': 'blessed-loss',
  'maybe-win': 'maybe-loss',
  'syzygy-win': 'syzygy-loss',
  'win': 'loss',
};

// Best first; what is not known may be better than a draw. tone: of the colours.
export const CLASSES = [
  { name: 'win', mark: '+', tone: 'won', title: 'Wins' },
  { name: 'syzygy-win', mark: '+?', tone: 'won', title: 'Wins, perhaps a ply too late for the 50-move rule' },
  { name: 'maybe-win', mark: '+?', tone: 'won', title: 'Wins, perhaps too late for the 50-move rule' },
  { name: 'cursed-win', mark: '+=', tone: 'even', title: 'Wins that the 50-move rule makes draws' },
  { name: 'unknown', mark: '?', tone: 'unknown', title: 'Not known' },
  { name: 'draw', mark: '=', tone: 'even', title: 'Draws' },
  { name: 'blessed-loss', mark: '\u2212=', tone: 'even', title: 'Losses that the 50-move rule makes draws' },
  { name: 'maybe-loss', mark: '\u2212?', tone: 'lost', title: 'Losses, perhaps saved by the 50-move rule' },
  { name: 'syzygy-loss', mark: '\u2212?', tone: 'lost', title: 'Losses, perhaps saved by a ply of the 50-move rule' },
  { name: 'loss', mark: '\u2212', tone: 'lost', title: 'Losses' },
];

const named = name => CLASSES.find (c => c.name === name);

const classNamed = name => named (name) || named ('unknown');

export const classOfMove = move => classNamed (TURNED[move.category]);

export const plural = (n, word) => `${n} ${n === 1 ? word : word === 'ply' ? 'plies' : word + 's'}`;

export const group = n => String (n).replace (/\B(?=(\d{3})+$)/g, ',');

// Of a position or a move that wins or loses; '' where the tables do not tell.
export const toMate = found => {
  if (found.plies === undefined)
    return '';
  if (found.plies === 0)
    return 'mate';
  return `${plural (Math.ceil (found.plies / 2), 'move')} (${plural (found.plies, 'ply')})`;
};

// Rounded plies stand for two numbers.
export const toZeroing = found => {
  if (found.dtz50 === undefined)
    return '';
  if (found.rounded)
    return `${found.dtz50} or ${plural (found.dtz50 + 1, 'ply')}`;
  return plural (found.dtz50, 'ply');
};

// Who wins: one sentence without a full stop.
export const verdict = (answer, stm) => {
  const mover = SIDES[stm];
  const other = SIDES[OTHER[stm]];
  if (answer.checkmate && answer.category === 'loss')
    return `Checkmate: ${other} wins`;
  if (answer.checkmate)
    return 'Checkmate, too late for the 50-move rule';
  if (answer.stalemate)
    return 'Stalemate: a draw';
  switch (answer.category) {
  case 'win':
    return `${mover} wins`;
  case 'syzygy-win':
    return `${mover} wins, perhaps a ply too late for the 50-move rule`;
  case 'maybe-win':
    return `${mover} wins, perhaps too late for the 50-move rule`;
  case 'cursed-win':
    return `A draw by the 50-move rule: ${mover} wins too late`;
  case 'draw':
    return 'A draw';
  case 'blessed-loss':
    return `A draw by the 50-move rule: ${other} wins too late`;
  case 'maybe-loss':
    return `${other} wins, perhaps too late for the 50-move rule`;
  case 'syzygy-loss':
    return `${other} wins, perhaps a ply too late for the 50-move rule`;
  case 'loss':
    return `${other} wins`;
  default:
    return 'Not known';
  }
};

const mateFact = answer => {
  if (answer.plies === undefined)
    return [];
  return [answer.wdl > 0 ? 'Mates in' : 'Mated in', toMate (answer)];
};

const clockFact = answer => {
  const clock = answer.halfmove_clock;
  if (!clock)
    return [];
  return ['Half-move clock', `${clock} of 100 plies`];
};

const ruleFact = answer => {
  if (answer.category === 'unknown' || answer.wdl === 0)
    return [];
  return ['50-move rule', answer.fifty_move_rule ? 'taken into account' : 'left aside: these tables do not know it'];
};

// What is known beside the result: pairs of a name and words.
export const facts = answer => [
  answer.checkmate ? [] : mateFact (answer),
  answer.dtz50 === undefined || answer.checkmate || answer.stalemate ? [] : ['Zeroing in', toZeroing (answer)],
  clockFact (answer),
  answer.checkmate || answer.stalemate ? [] : ruleFact (answer),
  answer.missing ? ['Tables not here', answer.missing.join (', ')] : [],
].filter (fact => fact.length);

// Why no table holds a position whose answer is there.
export const whyNowhere = answer => {
  if (answer.insufficient_material)
    return 'In none: with these men nobody can mate.';
  if (answer.no_table)
    return `In none: ${answer.no_table}.`;
  if (answer.category === 'unknown')
    return 'In none of the tables that are here.';
  return 'In none of the tables that are here: the result follows from the moves.';
};

// How a best line ends; '' after a mate.
export const LINE_ENDS = {
  over: '',
  drawn: 'Every move that keeps the draw is as good.',
  unknown: 'The tables tell no more.',
};
