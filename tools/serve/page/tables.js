// The tables of the server, and how many positions of each are won, drawn and lost.

import { $, el } from './dom.js';
import { SIDES, group, plural } from './words.js';

const ask = async path => {
  const reply = await fetch (path);
  return reply.json ();
};

/* ------------------------------------------------------------------ values */

const COUNTS = ['positions', 'won', 'drawn', 'lost'];

const STATES = {
  waits: 'The values are being counted; these are published.',
  counted: 'Counted by this server.',
  published: 'As published; this server does not count.',
};

const COMPARED = {
  same: 'The checksum of the values is the published one.',
  differs: 'The checksum of the values is not the published one.',
};

const longest = found => found ? `${found.value}${found.fen ? `: ${found.fen}` : ''}` : '';

const countTable = sides => {
  const heads = ['To move', 'Positions', 'Won', 'Drawn', 'Lost', 'Longest win', 'Longest loss']
    .map (title => el ('th', { scope: 'col' }, title));
  const rows = sides.map (side => {
    const cells = [...COUNTS.map (key => group (side[key])), longest (side.longest_win), longest (side.longest_loss)]
      .map (text => el ('td', {}, text));
    return el ('tr', {}, el ('th', { scope: 'row' }, SIDES[side.to_move]), ...cells);
  });
  return el ('table', {}, el ('thead', {}, el ('tr', {}, ...heads)), el ('tbody', {}, ...rows));
};

const histogram = side => {
  const rows = side.histogram.map (found => el ('tr', {}, el ('th', { scope: 'row' }, found.text),
                                                el ('td', {}, group (found.positions))));
  const title = `Positions by value, ${SIDES[side.to_move]} to move (${side.histogram.length})`;
  return el ('details', {}, el ('summary', {}, title), el ('table', {}, el ('tbody', {}, ...rows)));
};

// The number of the newest question: what comes back for an older one is dropped.
let asked = 0;

const showValues = async (table, ticket) => {
  const found = await ask (`stats?ending=${table.ending}&metric=${table.metric}`);
  if (ticket !== asked)
    return;
  const sides = found.sides || [];
  const waits = found.state === 'waits' && !sides.length;
  const state = waits ? 'The values are being counted.' : STATES[found.state] || '';
  $ ('state').textContent = found.error || [state, COMPARED[found.published] || ''].join (' ');
  $ ('values').replaceChildren (...(sides.length ? [el ('div', { className: 'wide' }, countTable (sides))] : []),
                                ...sides.filter (side => side.histogram).map (histogram));
  if (found.state === 'waits')
    setTimeout (() => showValues (table, ticket), 2000);
};

const choose = table => {
  asked++;
  $ ('h-values').textContent = `${table.ending}, ${table.metric}`;
  $ ('state').textContent = '';
  $ ('values').replaceChildren ();
  $ ('s-values').hidden = false;
  $ ('h-values').focus ();
  showValues (table, asked).catch (() => {
    $ ('state').textContent = 'The server does not answer.';
  });
};

/* ------------------------------------------------------------------ the list */

const fileOf = table => table.download ? el ('a', { href: table.download }, table.file) : table.file;

const checksums = table => (table.published || []).map (side => `${side.to_move} ${side.checksum}`).join (', ');

const row = table => {
  if (table.error)
    return el ('tr', {}, el ('th', { scope: 'row' }, table.file), el ('td', { colSpan: 7 }, table.error));
  const button = el ('button', {
    type: 'button',
    onclick: () => choose (table),
    'aria-label': `values of ${table.ending}, ${table.metric}`,
  }, table.ending);
  const cells = [table.metric, String (table.men), group (table.bytes), table.codec, fileOf (table),
                 table.sum || '', checksums (table)];
  return el ('tr', {}, el ('th', { scope: 'row' }, button), ...cells.map (inside => el ('td', {}, inside)));
};

const show = tables => {
  const heads = ['Ending', 'Metric', 'Men', 'Bytes', 'Codec', 'File', 'Checksum of the file',
                 'Published checksums of the values'].map (title => el ('th', { scope: 'col' }, title));
  const usable = tables.filter (table => !table.error);
  const bytes = usable.reduce ((sum, table) => sum + table.bytes, 0);
  $ ('sum').textContent = `${plural (usable.length, 'table')}, ${group (bytes)} bytes`;
  $ ('tables').replaceChildren (el ('table', {}, el ('thead', {}, el ('tr', {}, ...heads)),
                                    el ('tbody', {}, ...tables.map (row))));
};

ask ('tables').then (answer => show (answer.tables)).catch (() => {
  $ ('sum').textContent = 'The server does not answer.';
});
