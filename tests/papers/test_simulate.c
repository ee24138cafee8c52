/* The simulation of load balancing: its model by hand, one rank, skewed and even loads. */
#include "papers/retrograde/simulate/simulate.h"
#include <criterion/criterion.h>
#include <stdlib.h>

Test (simulate, the_model_has_the_values_computed_by_hand) {
  sd_sim_options o = {
    .balance = { .group = 2, .interval = 1, .receive = 0.003, .give = 0.002, .latency = 0.01, .task = 0.001 },
    .message = 0.0001
  };
  const uint64_t load[4] = { 20000, 0, 4000, 0 };
  sd_sim_model m;
  cr_assert_eq (sd_simulate_model (&o, load, 4, &m, NULL), SD_OK);
  cr_expect_float_eq (m.imbalance, 14000, 1e-6);           /* 20000 - 24000 / 4 */
  cr_expect_float_eq (m.threshold, 1045, 1e-6);            /* two levels: 3 + 2 + 1000 + 4 * 10 */
  cr_expect_float_eq (m.load_data, 2 * 0.0001 * 14, 1e-9); /* 2 + 2 * 6 s / 1 s messages */
  cr_expect_float_eq (m.plain, 80, 1e-9);                  /* 4 * 20 s */
  cr_expect_float_eq (m.least, 2.8 + 1045, 1e-6);          /* 2.8 ms / 1 ms + D_H */
  cr_expect (m.pays);
  /* B P + L t + S tau + I = 0.0112 + 24 + 4 * 0.005 + 1.045 * 3; M = d / 2, so S = P */
  cr_expect_float_eq (m.balanced, 0.0112 + 24 + 0.02 + 3.135, 1e-9);
  cr_expect_float_eq (m.predicted, m.balanced / 4, 1e-9);
  const uint64_t even[4] = { 5000, 5000, 5500, 5500 };
  cr_assert_eq (sd_simulate_model (&o, even, 4, &m, NULL), SD_OK);
  cr_expect_not (m.pays);
}

static sd_sim_result simulate (const sd_sim_options *o, const uint64_t *load, int ranks) {
  sd_simulator *s;
  sd_sim_result r = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_simulator_new (o, ranks, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_simulate (s, load, &r, &err), SD_OK, "%s", err.text);
  sd_sim_result again;
  cr_assert_eq (sd_simulate (s, load, &again, &err), SD_OK, "%s", err.text);
  cr_expect (again.time == r.time && again.messages == r.messages && again.moved == r.moved,
             "not the same twice");
  cr_expect_geq (r.idle, -1e-6 * r.time * ranks);
  sd_simulator_free (s);
  return r;
}

Test (simulate, one_rank_takes_the_sum_of_its_tasks) {
  const uint64_t load = 123456;
  sd_sim_result r = simulate (&(sd_sim_options){ 0 }, &load, 1);
  cr_expect_float_eq (r.time, 0.123456, 1e-12);
  cr_expect_eq (r.messages, 0);
}

Test (simulate, balancing_helps_skewed_loads_and_does_not_hurt_equal_ones) {
  static const int sizes[] = { 2, 31, 32, 33, 300, 1025 };
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int n = sizes[i];
    uint64_t *load = calloc ((size_t) n, sizeof *load), random = 1;
    const sd_sim_options o = { .balance = { .interval = 0.1 } };
    sd_sim_result plain, r;
    for (int k = 0; k < n; k++)
      load[k] = 5000000;
    r = simulate (&o, load, n);
    sd_simulate_plain (&o, load, n, &plain);
    cr_expect_leq (r.time, plain.time / 0.97, "%d ranks: %g, plain %g", n, r.time, plain.time);
    for (int k = 0; k < n; k++)
      load[k] = k < (n + 7) / 8 ? 20000000 + sd_random (&random) % 40000000 : 0;
    r = simulate (&o, load, n);
    sd_simulate_plain (&o, load, n, &plain);
    const double best = plain.work / n;
    cr_expect_leq (r.time, best + 0.5, "%d ranks: %g, best %g", n, r.time, best);
    cr_expect_lt (r.time, plain.time / (n > 2 ? 4 : 1.5), "%d ranks: %g, plain %g", n, r.time, plain.time);
    cr_expect_gt (r.transfers, 0);
    cr_expect_eq (r.tasks, plain.tasks);
    free (load);
  }
}

/* Makhnychev 2012, 3.6: the best M is about D / 2. */
Test (simulate, a_rank_gives_half_of_the_difference_at_best) {
  const uint64_t load[2] = { 10000000, 0 };
  sd_sim_options o = { 0 };
  const double half = simulate (&o, load, 2).time;
  for (o.balance.share = 0.1; o.balance.share < 0.95; o.balance.share += 0.2) {
    const sd_sim_result r = simulate (&o, load, 2);
    cr_expect (r.time >= half, "%g of the difference: %g s, half: %g s", o.balance.share, r.time, half);
    cr_expect_gt (r.transfers, 0);
  }
}

Test (simulate, a_single_loaded_rank_feeds_thousands) {
  const int n = 4096;
  uint64_t *load = calloc ((size_t) n, sizeof *load);
  load[n / 2 + 7] = (uint64_t) n * 1000000;
  sd_sim_result r = simulate (&(sd_sim_options){ .balance = { .interval = 0.05 } }, load, n);
  cr_expect_lt (r.time, 1.5);
  free (load);
}

Test (simulate, no_load_at_all_costs_two_messages_a_rank) {
  const int n = 1000;
  uint64_t *load = calloc ((size_t) n, sizeof *load);
  sd_sim_result r = simulate (&(sd_sim_options){ 0 }, load, n);
  cr_expect_leq (r.messages, 2 * 1032u);
  cr_expect_lt (r.time, 0.001);
  free (load);
}

Test (simulate, an_exchange_takes_the_messages_and_words_of_the_busiest_rank) {
  const sd_sim_options o = { .balance = { .latency = 0.5 }, .message = 0.01, .word = 0.001 };
  const sd_sim_share share[3] = { { .sent = 2, .received = 2, .out = 2, .in = 2 },
                                  { .sent = 5, .received = 3, .out = 905, .in = 103 },
                                  { .sent = 3, .received = 5, .out = 103, .in = 905 } };
  cr_expect_float_eq (sd_simulate_exchange (&o, share, 3, 1), 8 * 0.01 + 1008 * 0.001 + 0.5, 1e-12);
  /* Ten times the words in full messages, and four flags as before. */
  const double words = 10 * (1008. - 4) + 4, messages = 4 + words / (double) sd_transport_group (3, NULL);
  cr_expect_float_eq (sd_simulate_exchange (&o, share, 3, 10), messages * 0.01 + words * 0.001 + 0.5, 1e-9);
  cr_expect_eq (sd_simulate_exchange (&o, share, 1, 1), 0);
}

Test (simulate, a_transfer_moves_no_more_tasks_than_a_message_holds) {
  const uint64_t load[2] = { 10000000, 0 };
  sd_sim_options o = { .balance = { .interval = 0.1 }, .most_tasks = 500 };
  const sd_sim_result few = simulate (&o, load, 2);
  o.most_tasks = 0;
  const sd_sim_result many = simulate (&o, load, 2);
  cr_expect_gt (few.moved, 0);
  cr_expect_leq (few.moved, 500 * few.transfers);
  cr_expect_gt (many.moved, 500 * many.transfers);
  cr_expect_leq (many.time, few.time);
}
