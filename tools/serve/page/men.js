// The men as drawings, and their names.

import { isWhite } from './fen.js';

export const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export const manName = man => {
  if (!man)
    return 'empty';
  return `${isWhite (man) ? 'white' : 'black'} ${NAMES[man.toLowerCase ()]}`;
};

// On a field of 48 x 48: the body, its foot, and lines upon it.
const FOOT = 'M12 42c0-3.4 1.6-5 4-5.6h16c2.4.6 4 2.2 4 5.6z';
const SHAPES = {
  p: {
    body: 'M24 9a6.2 6.2 0 0 1 4.2 10.8c2.3 1.2 3.3 2.5 3.3 4.4h-3.6c.5 5.8 2.6 9 6.1 12.2h-20'
        + 'c3.5-3.2 5.6-6.4 6.1-12.2h-3.6c0-1.9 1-3.2 3.3-4.4A6.2 6.2 0 0 1 24 9z',
    lines: 'M14.8 36.4h18.4',
  },
  r: {
    body: 'M12 8h5.5v4h4V8h5v4h4V8H36v8.5L32 20l.9 12 2.1 4.4H13l2.1-4.4.9-12-4-3.5z',
    lines: 'M16 20h16M15.1 32h17.8M14 36.4h20M12.5 16.5h23',
  },
  n: {
    body: 'M21.5 7.5l1.2 3.4c8.8.9 13.3 9.6 13 25.5H15.5c-.4-6.8 6.2-8.9 6.8-14.2-2.3 1.7-4.4 2-6.3 2.6'
        + 'l-3 3.2c-2.4.3-4.3-1.5-3.9-4.1 2.3-4.3 4.8-6.6 6.4-10.4l-.3-4.3 4.1 1.3z',
    lines: 'M14 36.4h20M26.5 14.5c4 2.6 5.8 9 5.5 17.5M18.2 16.3l2-.9',
  },
  b: {
    body: 'M24 5.5a2.7 2.7 0 0 1 1.7 4.8c5.4 3.5 8.3 8 8.3 12.7 0 3.6-1.9 6.2-4.7 7.8l2.7 5.6H16l2.7-5.6'
        + 'c-2.8-1.6-4.7-4.2-4.7-7.8 0-4.7 2.9-9.2 8.3-12.7A2.7 2.7 0 0 1 24 5.5z',
    lines: 'M18.7 30.8h10.6M14 36.4h20M24 15.5v9M20 20h8',
  },
  q: {
    body: 'M8.5 12a2.3 2.3 0 1 1 2.9 2.2l5.4 9.6 1-13.1a2.3 2.3 0 1 1 2.3-.1L24 22.5l3.9-11.9'
        + 'a2.3 2.3 0 1 1 2.3.1l1 13.1 5.4-9.6a2.3 2.3 0 1 1 2.2.4l-5 17.3 1 4.5H13.2l1-4.5-5-17.3'
        + 'A2.3 2.3 0 0 1 8.5 12z',
    lines: 'M14.6 31.5c6.2-1.7 12.6-1.7 18.8 0M13.2 36.4h21.6',
  },
  k: {
    body: 'M22.4 4.5h3.2v3h3v3.2h-3v4.1c1.2.8 2 2.2 2.2 3.7 2-1.6 4-2.3 6-2.3 4 0 6.7 3 6.7 6.5'
        + ' 0 4.8-3.7 6.9-6 9.3l.3 4.4H13.2l.3-4.4c-2.3-2.4-6-4.5-6-9.3 0-3.5 2.7-6.5 6.7-6.5'
        + ' 2 0 4 .7 6 2.3.2-1.5 1-2.9 2.2-3.7v-4.1h-3V7.5h3z',
    lines: 'M13.5 32c6.8-1.9 14.2-1.9 21 0M13.2 36.4h21.6M20.2 18.5c-.3 3.5 1.5 7 3.8 11.3'
         + ' 2.3-4.3 4.1-7.8 3.8-11.3',
  },
};

const SVG = 'http://www.w3.org/2000/svg';

const path = (d, name) => {
  const p = document.createElementNS (SVG, 'path');
  p.setAttribute ('d', d);
  p.setAttribute ('class', name);
  return p;
};

export const drawing = man => {
  const shape = SHAPES[man.toLowerCase ()];
  const svg = document.createElementNS (SVG, 'svg');
  svg.setAttribute ('viewBox', '1 .5 46 46');
  svg.setAttribute ('class', `man ${isWhite (man) ? 'w' : 'b'}`);
  svg.setAttribute ('aria-hidden', 'true');
  svg.append (path (FOOT + shape.body, 'body'), path (shape.lines, 'lines'));
  return svg;
};
