// Elements of the page.

export const $ = id => document.getElementById (id);

// A new element: attributes with a dash and unknown ones as attributes, all others as properties.
export const el = (tag, props, ...inside) => {
  const e = document.createElement (tag);
  for (const [key, value] of Object.entries (props || {})) {
    if (key in e && !key.includes ('-'))
      e[key] = value;
    else
      e.setAttribute (key, value);
  }
  e.append (...inside);
  return e;
};
