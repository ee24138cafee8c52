/** \file model.c
 * Dictionary and code lengths of a stream, compact.
 *
 * Seen through their left parts the phrases form a forest whose roots are the main symbols. Numbered breadth
 * first (LOUDS; Takabatake, Tabei and Sakamoto 2014 use the same order for grammars), the left parts ascend,
 * so that the number of children of each id, about 2 bits a phrase, replaces all left parts; it also tells
 * how many phrases there are. Children of one id may stand in any order and are sorted by the length of their
 * Huffman code, which makes the lengths cheap. Right parts are written with as many bits as their skew
 * leaves. All numbers pass an adaptive range coder. */
#include "config.h"
#include "codecs/entropy/range_coder.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

int sd_model_alloc (sd_model *model, unsigned m, unsigned ids) {
  *model = (sd_model){ .m = m, .ids = ids, .room = ids };
  model->left = sd_alloc0 (ids, sizeof *model->left);
  model->right = sd_alloc0 (ids, sizeof *model->right);
  model->bits = sd_alloc0 (ids, sizeof *model->bits);
  if (model->left && model->right && model->bits)
    return SD_OK;
  sd_model_free (model);
  return SD_ENOMEM;
}

void sd_model_free (sd_model *model) {
  free (model->left);
  free (model->right);
  free (model->bits);
  free (model->length);
  free (model->depth);
  *model = (sd_model){ 0 };
}

/* Room for `room` ids in what a model that is read has from the start; what was there is kept. */
static int set_room (sd_model *model, unsigned room) {
  sd_phrase *left = realloc (model->left, room * sizeof *left);
  model->left = left ? left : model->left;
  uint8_t *bits = realloc (model->bits, room);
  model->bits = bits ? bits : model->bits;
  if (!left || !bits)
    return SD_ENOMEM;
  model->room = room;
  return SD_OK;
}

/* ---------------------------------------------------------------- numbering */

typedef struct child {
  uint32_t parent;
  uint8_t bits;
  sd_phrase right, id;
} child;

/* Children of the same parent side by side, by rising code lengths; the rest only makes the order
 * complete. */
static int by_parent (const void *pa, const void *pb) {
  const child *a = pa, *b = pb;
  if (a->parent != b->parent)
    return a->parent < b->parent ? -1 : 1;
  if (a->bits != b->bits)
    return a->bits < b->bits ? -1 : 1;
  if (a->right != b->right)
    return a->right < b->right ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

int sd_model_from_encoder (const sd_repair *st, const uint8_t *bits, sd_model *model, sd_phrase *new_id) {
  unsigned phrases = st->used - st->a, ids = st->m + phrases;
  SD_TRY (sd_model_alloc (model, st->m, ids));
  SD_OWNED child *c = sd_alloc (phrases, sizeof *c);
  SD_OWNED uint32_t *first = sd_alloc0 (st->used + 1, sizeof *first);
  SD_OWNED sd_phrase *old_id = sd_alloc (ids, sizeof *old_id);
  if (!c || !first || !old_id) {
    sd_model_free (model);
    return SD_ENOMEM;
  }
  /* Phrases sorted by their left part, and first[id]: where those of a left part begin. */
  for (unsigned k = 0; k < phrases; k++) {
    unsigned id = st->a + k;
    c[k] = (child){ st->left[id], bits[id], st->right[id], (sd_phrase) id };
    first[st->left[id] + 1]++;
  }
  qsort (c, phrases, sizeof *c, by_parent);
  for (unsigned id = 0; id < st->used; id++)
    first[id + 1] += first[id];

  /* Numbers are given breadth first, the children of the lowest number first. A reader that is told how
   * many children each id has then knows the left part of every phrase, and code lengths rise among
   * siblings, so that their differences are small. */
  memset (new_id, 0, st->used * sizeof *new_id);
  for (unsigned v = 0; v < st->m; v++)
    old_id[v] = new_id[v] = (sd_phrase) v;
  unsigned next = st->m;
  for (unsigned v = 0; v < next; v++)
    for (unsigned k = first[old_id[v]]; k < first[old_id[v] + 1]; k++) {
      new_id[c[k].id] = (sd_phrase) next;
      old_id[next] = c[k].id;
      model->left[next++] = (sd_phrase) v;
    }

  for (unsigned v = 0; v < ids; v++) {
    model->bits[v] = bits[old_id[v]];
    if (v >= st->m)
      model->right[v] = new_id[st->right[old_id[v]]];
  }
  return SD_OK;
}

/* ------------------------------------------------------------------- coding */

/* A small number in unary; bit[0..UNARY-1] are the contexts. */
#define UNARY 16
static bool code_more (sd_rc_coder *c, sd_rc_bit *bit, unsigned k, bool more) {
  return sd_rc_code_bit (c, bit + (k < UNARY ? k : UNARY - 1), more);
}

/* What is known of an id when its children are coded: how frequent it is in the payload. */
#define CLASSES 6
static unsigned class_of (unsigned bits) {
  return bits == 0 ? 0 : bits < 7 ? 1 : bits < 9 ? 2 : bits < 11 ? 3 : bits < 13 ? 4 : 5;
}

#define LENGTH_BITS 5 /* code lengths 1..32 */

typedef struct contexts {
  sd_rc_bit children[CLASSES][UNARY]; /* has one more child, by how many it has */
  sd_rc_bit unused[3];                /* code length 0: main symbol, first child, after an unused sibling */
  sd_rc_bit length[CLASSES + 1]
                  [1 << LENGTH_BITS]; /* of the first used child, by the parent's class; of a main symbol */
  sd_rc_bit longer[UNARY];            /* code length above that of the sibling before */
  sd_rc_bit uses[CLASSES][3][UNARY];  /* is a right part once more, by class and number of children */
} contexts;

/* Code length of id v; `before` is the sibling before it, 0 if there is none. */
static int code_length (sd_rc_coder *c, contexts *x, sd_model *model, unsigned v, unsigned before) {
  unsigned bits = c->enc ? model->bits[v] : 0, last = before ? model->bits[before] : 0;
  /* Siblings are sorted by length: only what is added to the last one is told. */
  if (before && last) {
    unsigned k = 0;
    while (code_more (c, x->longer, k, bits > last + k))
      if (last + ++k > SD_HUFFMAN_MAX_LENGTH)
        return SD_EFORMAT;
    bits = last + k;
  } else if (sd_rc_code_bit (c, x->unused + (v < model->m ? 0 : before ? 2 : 1), bits == 0))
    bits = 0;
  else {
    /* How frequent its left part is says most about how frequent the first child is. */
    unsigned hint = v < model->m ? CLASSES : class_of (model->bits[model->left[v]]);
    bits = 1 + sd_rc_code_number (c, x->length[hint], LENGTH_BITS, bits - 1);
  }
  model->bits[v] = (uint8_t) bits;
  return SD_OK;
}

/* Another id, number `next`; reading: where there may be one, `most` ids in all. */
static int one_more (const sd_rc_coder *c, sd_model *model, unsigned next, unsigned most) {
  if (next >= most)
    return SD_EFORMAT;
  if (c->enc || next < model->room)
    return SD_OK;
  return set_room (model, model->room < most / 2 ? 2 * model->room : most);
}

/* Children of each id and the code lengths of all. Sets model->left and bits, and model->ids when reading. */
static int code_forest (sd_rc_coder *c, contexts *x, sd_model *model, unsigned most) {
  unsigned next = model->m;
  for (unsigned v = 0; v < model->m; v++)
    SD_TRY (code_length (c, x, model, v, 0));
  /* Breadth first: the children of v get the next numbers, so that its count tells their left parts. The end
   * is reached when no id is left whose children have not been told. */
  for (unsigned v = 0; v < next; v++)
    for (unsigned k = 0;; k++) {
      bool here = c->enc && next < model->ids && model->left[next] == v;
      if (!code_more (c, x->children[class_of (model->bits[v])], k, here))
        break;
      SD_TRY (one_more (c, model, next, most));
      model->left[next] = (sd_phrase) v;
      SD_TRY (code_length (c, x, model, next, k ? next - 1 : 0));
      next++;
    }
  model->ids = next;
  return SD_OK;
}

/* Right parts: first how often each id is one, then, for each phrase, which of those that remain. sum: prefix
 * sums as a binary indexed tree (Fenwick 1994). */
static int code_rights (sd_rc_coder *c, contexts *x, sd_model *model) {
  unsigned phrases = model->ids - model->m, top = 1;
  SD_OWNED uint32_t *uses = sd_alloc0 (model->ids, sizeof *uses),
                    *sum = sd_alloc0 (model->ids + 1, sizeof *sum);
  SD_OWNED uint32_t *children = sd_alloc0 (model->ids, sizeof *children);

  if (!uses || !sum || !children)
    return SD_ENOMEM;
  for (unsigned v = model->m; v < model->ids; v++) {
    children[model->left[v]]++;
    if (c->enc)
      uses[model->right[v]]++;
  }
  /* How often each id is a right part, in unary: mostly not at all or once. That each phrase has one right
   * part ends the counting. */
  uint64_t total = 0;
  for (unsigned v = 0; v < model->ids; v++) {
    sd_rc_bit *bit = x->uses[class_of (model->bits[v])][children[v] < 2 ? children[v] : 2];
    unsigned k = 0;
    while (total + k < phrases && code_more (c, bit, k, uses[v] > k))
      k++;
    uses[v] = k;
    total += k;
  }
  if (total != phrases)
    return SD_EFORMAT;
  /* The tree is built from the bottom in one pass. */
  for (unsigned v = 1; v <= model->ids; v++) {
    sum[v] += uses[v - 1];
    unsigned up = v + (v & -v);
    if (up <= model->ids)
      sum[up] += sum[v];
  }
  while (2 * top <= model->ids)
    top *= 2;
  /* Which right part comes next is an equal choice among the uses that are left, n! / product of uses!
   * ways in all: no model of pairs that both sides would have to learn. */
  for (unsigned v = model->m; v < model->ids; v++) {
    uint32_t left = model->ids - v, below = 0;
    unsigned r = 0; /* the id whose share of 0..left-1 holds the number */
    if (c->enc) {
      r = model->right[v];
      for (unsigned k = r; k; k &= k - 1)
        below += sum[k];
      sd_rc_put_share (c->enc, below, uses[r], left);
    } else {
      uint32_t number = sd_rc_get_share (c->dec, left);
      /* The last id before which at most `number` uses stand: down the tree. */
      for (unsigned step = top; step; step /= 2)
        if (r + step <= model->ids && below + sum[r + step] <= number) {
          r += step;
          below += sum[r];
        }
      sd_rc_take_share (c->dec, below, uses[r], left);
      model->right[v] = (sd_phrase) r;
    }
    uses[r]--;
    for (unsigned k = r + 1; k <= model->ids; k += k & -k)
      sum[k]--;
  }
  return SD_OK;
}

/* The whole walk, for writing and for reading; most: ids that a reader allows. */
static int code_model (sd_rc_coder *c, sd_model *model, unsigned most) {
  contexts x;
  sd_rc_init (&x.children[0][0], sizeof x / sizeof (sd_rc_bit));
  SD_TRY (code_forest (c, &x, model, most));
  /* A reader knows by now how many phrases there are, and asks for their right parts only then. */
  if (!c->enc) {
    SD_TRY (set_room (model, model->ids));
    model->right = sd_alloc0 (model->ids, sizeof *model->right);
    if (!model->right)
      return SD_ENOMEM;
  }
  return code_rights (c, &x, model);
}

void sd_model_write (const sd_model *model, uint64_t least, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf code = { 0 };
  sd_rc_enc enc = sd_rc_enc_of (&code);
  sd_rc_coder c = { .enc = &enc };
  sd_model copy = *model; /* the walk stores what it codes: the same values */
  int status = code_model (&c, &copy, SD_REPAIR_IDS);
  sd_rc_finish (&enc, 0);
  while (!code.failed && code.len < least) /* a reader takes what is not there for zeros */
    sd_buf_u8 (&code, 0);
  if (status || code.failed)
    out->failed = true;
  sd_buf_varint (out, code.len);
  sd_buf_append (out, code.data, code.len);
}

/* Length and depth of every phrase, which also proves that all parts exist and no phrase contains itself.
 * Every id is entered once; a phrase on the way down is OPEN. */
static int derive (sd_model *model) {
  enum { NEW, OPEN, DONE };
  SD_OWNED uint8_t *state = sd_alloc0 (model->ids, 1);
  SD_OWNED sd_phrase *stack = sd_alloc (model->ids, sizeof *stack);

  model->length = sd_alloc (model->ids, sizeof *model->length);
  model->depth = sd_alloc (model->ids, sizeof *model->depth);
  if (!state || !stack || !model->length || !model->depth)
    return SD_ENOMEM;
  /* Main symbols are where every phrase must end. */
  for (unsigned v = 0; v < model->m; v++) {
    state[v] = DONE;
    model->length[v] = 1;
    model->depth[v] = 0;
  }
  for (unsigned v = model->m; v < model->ids; v++)
    if (model->right[v] >= model->ids)
      return SD_EFORMAT;
  /* Left parts are older than their phrase by the numbering; a right part may be any id, so that a cycle has
   * to be looked for: depth first, without recursion, since a forged chain is as long as there are ids. */
  for (unsigned root = model->m; root < model->ids; root++) {
    unsigned top = 0;
    if (state[root] == NEW)
      stack[top++] = (sd_phrase) root;
    while (top) {
      unsigned v = stack[top - 1], l = model->left[v], r = model->right[v];
      state[v] = OPEN;
      /* A part that is not known yet comes first; if it is OPEN, this phrase is part of its own part. */
      unsigned next = state[l] != DONE ? l : r;
      if (state[next] == NEW)
        stack[top++] = (sd_phrase) next;
      else if (state[next] == OPEN)
        return SD_EFORMAT;
      else {
        unsigned depth = 1u + (model->depth[l] > model->depth[r] ? model->depth[l] : model->depth[r]);
        uint64_t length = (uint64_t) model->length[l] + model->length[r];
        if (depth > SD_REPAIR_MAX_DEPTH || length > SD_REPAIR_MAX_LENGTH)
          return SD_EFORMAT;
        model->depth[v] = (uint8_t) depth;
        model->length[v] = (uint32_t) length;
        state[v] = DONE;
        top--;
      }
    }
  }
  return SD_OK;
}

int sd_model_read (sd_reader *r, unsigned m, sd_model *model, sd_error *err) {
  const uint64_t left = (uint64_t) (r->end - r->p), bytes = sd_get_varint (r);
  const uint8_t *p = sd_get_bytes (r, bytes);

  *model = (sd_model){ .m = m };
  if (!p)
    return sd_fail (err, SD_EFORMAT, "repair: model: cut off, %llu bytes are announced",
                    (unsigned long long) bytes);
  sd_rc_dec dec = sd_rc_dec_of (p, bytes);
  sd_rc_coder c = { .dec = &dec };
  int status = set_room (model, m);
  if (!status)
    status = code_model (&c, model, (unsigned) sd_repair_most_ids (left));
  if (!status)
    status = derive (model);
  if (status) {
    sd_model_free (model);
    return status == SD_ENOMEM ? sd_fail_memory (err, 0)
                               : sd_fail (err, status, "repair: model: not a valid dictionary of phrases");
  }
  return SD_OK;
}
