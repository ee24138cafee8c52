// The tables of a report can be sorted: the text of a head becomes a button, which sorts by its column, a second time
// the other way round; what was done is said to those who cannot see it. Without this script the page shows all it has.
'use strict';

const unit = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, '%': 1 };

// "1,234", "-12.5 %", "3.2 us" as a number, times in nanoseconds; null: not measured; NaN: a text
function valueOf (text) {
  const m = text.replace (/,/g, '').match (/^([+-]?[0-9.]+)(?: ?(ns|us|ms|s|%)(?![a-z]).*)?$/);
  if (!m)
    return text === '-' ? null : NaN;
  return m[1] * (unit[m[2]] || 1);
}

// what was not measured stands last in both directions
function sortRows (body, column, up) {
  const rows = [...body.rows].map (row => {
    const text = row.cells[column].textContent;
    return { row, text, value: valueOf (text) };
  });
  const asText = rows.some (r => Number.isNaN (r.value));
  const sign = up ? 1 : -1;
  rows.sort ((a, b) => (a.value === null) - (b.value === null)
    || sign * (asText ? a.text.localeCompare (b.text) : a.value - b.value));
  body.append (...rows.map (r => r.row));
}

function makeSortable (table) {
  const heads = [...table.querySelectorAll ('th')].filter (h => h.textContent);
  for (const head of heads) {
    const button = document.createElement ('button');
    button.type = 'button';
    button.append (...head.childNodes);
    head.append (button);
    if (!head.hasAttribute ('aria-sort'))
      head.setAttribute ('aria-sort', 'none');
    button.onclick = () => {
      const up = head.getAttribute ('aria-sort') !== 'ascending';
      sortRows (table.tBodies[0], head.cellIndex, up);
      heads.forEach (h => h.setAttribute ('aria-sort', 'none'));
      head.setAttribute ('aria-sort', up ? 'ascending' : 'descending');
      document.getElementById ('said').textContent = `sorted by ${button.textContent}, ${up ? 'rising' : 'falling'}`;
    };
  }
}
document.querySelectorAll ('table').forEach (makeSortable);

// on paper nothing can be opened
addEventListener ('beforeprint', () => {
  for (const part of document.querySelectorAll ('details'))
    part.open = true;
});
