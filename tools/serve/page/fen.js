// A position of chess as a text (FEN), and what a move makes of it. Nothing here says whether a position or a
// move is legal: that is the server's to say.

export const START = '8/8/8/8/8/2k5/8/K6R w - - 0 1';

const FILES = 'abcdefgh';

export const squareName = square => FILES[square & 7] + ((square >> 3) + 1);

export const squareOf = name => FILES.indexOf (name[0]) + 8 * (Number (name[1]) - 1);

export const isWhite = man => man < 'a';

export const emptyBoard = () => Array (64).fill ('');

export const noPosition = () => ({ men: emptyBoard (), stm: 'w', castling: '-', ep: '-', half: 0, full: 1 });

// Men by square, a1 first; null: no eight ranks of eight squares.
const readBoard = text => {
  const men = emptyBoard ();
  const ranks = text.split ('/');
  if (ranks.length !== 8)
    return null;
  for (let rank = 0; rank < 8; rank++) {
    let file = 0;
    for (const c of ranks[rank]) {
      if (/[1-8]/.test (c)) {
        file += Number (c);
        continue;
      }
      if (!/[pnbrqk]/i.test (c) || file > 7)
        return null;
      men[8 * (7 - rank) + file] = c;
      file++;
    }
    if (file !== 8)
      return null;
  }
  return men;
};

// null: the text has no board. Fields that are left out are those of a position where nothing has happened.
export const readFen = text => {
  const [board, stm, castling, ep, half, full] = text.trim ().split (/\s+/);
  const men = readBoard (board);
  if (!men)
    return null;
  return {
    men,
    stm: stm === 'b' ? 'b' : 'w',
    castling: castling || '-',
    ep: ep || '-',
    half: Number (half) || 0,
    full: Number (full) || 1,
  };
};

const writeRank = men => men.map (man => man || '1').join ('').replace (/1+/g, ones => ones.length);

export const writeFen = position => {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank--)
    ranks.push (writeRank (position.men.slice (8 * rank, 8 * rank + 8)));
  const { stm, castling, ep, half, full } = position;
  return `${ranks.join ('/')} ${stm} ${castling} ${ep} ${half} ${full}`;
};

// The rights that end when something moves from a square or is captured there.
const RIGHTS = { a1: 'Q', e1: 'KQ', h1: 'K', a8: 'q', e8: 'kq', h8: 'k' };

const castlingAfter = (castling, squares) => {
  const lost = squares.map (square => RIGHTS[squareName (square)] || '').join ('');
  return [...castling].filter (c => !lost.includes (c)).join ('') || '-';
};

// The rook goes to the square that the king has passed over.
const moveRook = (men, from, to) => {
  const corner = to > from ? to + 1 : to - 2;
  men[(from + to) / 2] = men[corner];
  men[corner] = '';
};

// The position behind a legal move, which is given as engines write it: "e7e8q".
export const play = (position, uci) => {
  const from = squareOf (uci);
  const to = squareOf (uci.slice (2));
  const men = [...position.men];
  const man = men[from];
  const black = position.stm === 'b';
  const pawn = man.toLowerCase () === 'p';
  const captures = men[to] !== '';
  if (pawn && !captures && (from & 7) !== (to & 7))
    men[(from & 56) | (to & 7)] = '';
  if (man.toLowerCase () === 'k' && Math.abs (from - to) === 2)
    moveRook (men, from, to);
  men[from] = '';
  men[to] = man;
  if (uci[4])
    men[to] = black ? uci[4] : uci[4].toUpperCase ();
  return {
    men,
    stm: black ? 'w' : 'b',
    castling: castlingAfter (position.castling, [from, to]),
    ep: pawn && Math.abs (from - to) === 16 ? squareName ((from + to) / 2) : '-',
    half: pawn || captures ? 0 : position.half + 1,
    full: position.full + (black ? 1 : 0),
  };
};
