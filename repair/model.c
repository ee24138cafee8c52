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
#include "repair/range_coder.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

int sd_model_alloc (sd_model *model, unsigned m, unsigned ids) {
  *model = (sd_model){ .m = m, .ids = ids };
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

/* ---------------------------------------------------------------- numbering */

typedef struct child {
  uint32_t parent;
  uint8_t bits;
  sd_symbol right, id;
} child;

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

int sd_model_from_encoder (const sd_repair *st, const uint8_t *bits, sd_model *model, sd_symbol *new_id) {
  unsigned phrases = st->used - st->a, ids = st->m + phrases;
  SD_TRY (sd_model_alloc (model, st->m, ids));
  child *c = sd_alloc (phrases, sizeof *c);
  uint32_t *first = sd_alloc0 (st->used + 1, sizeof *first);
  sd_symbol *old_id = sd_alloc (ids, sizeof *old_id);
  int status = c && first && old_id ? SD_OK : SD_ENOMEM;
  if (status)
    goto done;
  for (unsigned k = 0; k < phrases; k++) {
    unsigned id = st->a + k;
    c[k] = (child){ st->left[id], bits[id], st->right[id], (sd_symbol) id };
    first[st->left[id] + 1]++;
  }
  qsort (c, phrases, sizeof *c, by_parent);
  for (unsigned id = 0; id < st->used; id++)
    first[id + 1] += first[id];
  memset (new_id, 0, st->used * sizeof *new_id);
  for (unsigned v = 0; v < st->m; v++)
    old_id[v] = new_id[v] = (sd_symbol) v;
  unsigned next = st->m;
  for (unsigned v = 0; v < next; v++)
    for (unsigned k = first[old_id[v]]; k < first[old_id[v] + 1]; k++) {
      new_id[c[k].id] = (sd_symbol) next;
      old_id[next] = c[k].id;
      model->left[next++] = (sd_symbol) v;
    }
  for (unsigned v = 0; v < ids; v++) {
    model->bits[v] = bits[old_id[v]];
    if (v >= st->m)
      model->right[v] = new_id[st->right[old_id[v]]];
  }
done:
  free (c);
  free (first);
  free (old_id);
  if (status)
    sd_model_free (model);
  return status;
}

/* ------------------------------------------------------------------- coding */

/* Writing and reading walk the same way through the same contexts; `enc` or `dec` says which it is. */
typedef struct coder {
  sd_rc_enc *enc;
  sd_rc_dec *dec;
} coder;

static unsigned code_bit (coder *c, sd_rc_bit *b, unsigned bit) {
  if (c->enc) {
    sd_rc_put (c->enc, b, bit);
    return bit;
  }
  return sd_rc_get (c->dec, b);
}

/* A number of `nbits` bits, most significant first; tree has 2^nbits contexts. */
static unsigned code_tree (coder *c, sd_rc_bit *tree, unsigned nbits, unsigned value) {
  unsigned node = 1;
  for (unsigned i = nbits; i-- > 0;)
    node = node << 1 | code_bit (c, tree + node, value >> i & 1);
  return node - (1u << nbits);
}

#define DEGREE_CONTEXTS 16
#define LENGTH_BITS 6

/* Children of each id, in unary. Sets model->left, and model->ids when reading. */
static int code_degrees (coder *c, sd_model *model) {
  sd_rc_bit more[2][DEGREE_CONTEXTS];
  sd_rc_init (more[0], 2 * DEGREE_CONTEXTS);
  unsigned next = model->m;
  for (unsigned v = 0; v < next; v++)
    for (unsigned k = 0;; k++) {
      bool here = c->enc && next < model->ids && model->left[next] == v;
      unsigned at = k < DEGREE_CONTEXTS ? k : DEGREE_CONTEXTS - 1;
      if (!code_bit (c, &more[v >= model->m][at], here))
        break;
      if (next >= SD_REPAIR_IDS)
        return SD_EFORMAT;
      model->left[next++] = (sd_symbol) v;
    }
  model->ids = next;
  return SD_OK;
}

/* Code lengths. Children of one id ascend, so the length before is the best hint. */
static int code_lengths (coder *c, sd_model *model) {
  enum { FIRST_MAIN = 33, FIRST_PHRASE, HINTS };
  sd_rc_bit (*tree)[1 << LENGTH_BITS] = sd_alloc (HINTS, sizeof *tree);
  if (!tree)
    return SD_ENOMEM;
  sd_rc_init (tree[0], (size_t) HINTS << LENGTH_BITS);
  int status = SD_OK;
  for (unsigned v = 0; v < model->ids; v++) {
    bool sibling = v > model->m && model->left[v] == model->left[v - 1];
    unsigned hint = v < model->m ? FIRST_MAIN : sibling ? model->bits[v - 1] : FIRST_PHRASE;
    unsigned bits = code_tree (c, tree[hint], LENGTH_BITS, model->bits[v]);
    if (bits > SD_HUFFMAN_MAX_LENGTH) {
      status = SD_EFORMAT;
      break;
    }
    model->bits[v] = (uint8_t) bits;
  }
  free (tree);
  return status;
}

#define RIGHT_TREE_BITS                                                                                      \
  7 /* leading bits of a right part that are modelled; the others are as good as random */

static void code_rights (coder *c, sd_model *model) {
  sd_rc_bit tree[2][1 << RIGHT_TREE_BITS];
  sd_rc_init (tree[0], (size_t) 2 << RIGHT_TREE_BITS);
  unsigned nbits = sd_bits_for (model->ids), top = nbits < RIGHT_TREE_BITS ? nbits : RIGHT_TREE_BITS;
  unsigned rest = nbits - top;
  for (unsigned v = model->m; v < model->ids; v++) {
    unsigned value = model->right[v];
    unsigned high = code_tree (c, tree[model->left[v] >= model->m], top, value >> rest);
    unsigned count = 1u << rest, low = value & (count - 1);
    if (rest) {
      if (c->enc)
        sd_rc_put_uniform (c->enc, low, count);
      else
        low = sd_rc_get_uniform (c->dec, count);
    }
    model->right[v] = (sd_symbol) (high << rest | low);
  }
}

void sd_model_write (const sd_model *model, sd_buf *out) {
  sd_buf code = { 0 };
  sd_rc_enc enc = sd_rc_enc_of (&code);
  coder c = { .enc = &enc };
  sd_model copy = *model; /* the walk stores what it codes: the same values */
  int status = code_degrees (&c, &copy);
  if (!status)
    status = code_lengths (&c, &copy);
  if (!status)
    code_rights (&c, &copy);
  sd_rc_finish (&enc, 0);
  if (status || code.failed)
    out->failed = true;
  sd_buf_varint (out, code.len);
  sd_buf_append (out, code.data, code.len);
  sd_buf_free (&code);
}

/* Length and depth of every phrase, which also proves that all parts exist and no phrase contains itself.
 * Every id is entered once; a phrase on the way down is OPEN. */
static int derive (sd_model *model) {
  enum { NEW, OPEN, DONE };
  uint8_t *state = sd_alloc0 (model->ids, 1);
  sd_symbol *stack = sd_alloc (model->ids, sizeof *stack);
  model->length = sd_alloc (model->ids, sizeof *model->length);
  model->depth = sd_alloc (model->ids, sizeof *model->depth);
  int status = state && stack && model->length && model->depth ? SD_OK : SD_ENOMEM;
  for (unsigned v = 0; !status && v < model->m; v++) {
    state[v] = DONE;
    model->length[v] = 1;
    model->depth[v] = 0;
  }
  for (unsigned v = model->m; !status && v < model->ids; v++)
    if (model->right[v] >= model->ids)
      status = SD_EFORMAT;
  for (unsigned root = model->m; !status && root < model->ids; root++) {
    unsigned top = 0;
    if (state[root] == NEW)
      stack[top++] = (sd_symbol) root;
    while (top && !status) {
      unsigned v = stack[top - 1], l = model->left[v], r = model->right[v];
      state[v] = OPEN;
      unsigned next = state[l] != DONE ? l : r;
      if (state[next] == NEW)
        stack[top++] = (sd_symbol) next;
      else if (state[next] == OPEN)
        status = SD_EFORMAT;
      else {
        unsigned depth = 1u + (model->depth[l] > model->depth[r] ? model->depth[l] : model->depth[r]);
        uint64_t length = (uint64_t) model->length[l] + model->length[r];
        if (depth > SD_REPAIR_MAX_DEPTH || length > SD_REPAIR_MAX_LENGTH)
          status = SD_EFORMAT;
        model->depth[v] = (uint8_t) depth;
        model->length[v] = (uint32_t) length;
        state[v] = DONE;
        top--;
      }
    }
  }
  free (state);
  free (stack);
  return status;
}

int sd_model_read (sd_reader *r, unsigned m, sd_model *model, sd_error *err) {
  uint64_t bytes = sd_get_varint (r);
  const uint8_t *p = sd_get_bytes (r, bytes);
  if (!p)
    return sd_fail (err, SD_EFORMAT, "repair: model: cut off, %llu bytes are announced",
                    (unsigned long long) bytes);
  sd_rc_dec dec = sd_rc_dec_of (p, bytes);
  coder c = { .dec = &dec };
  if (sd_model_alloc (model, m, SD_REPAIR_IDS))
    return sd_fail_memory (err, 0);
  int status = code_degrees (&c, model);
  if (!status)
    status = code_lengths (&c, model);
  if (!status) {
    code_rights (&c, model);
    status = derive (model);
  }
  if (status) {
    sd_model_free (model);
    return status == SD_ENOMEM ? sd_fail_memory (err, 0)
                               : sd_fail (err, status, "repair: model: not a valid dictionary of phrases");
  }
  return SD_OK;
}
