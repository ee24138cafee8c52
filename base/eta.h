/** \file eta.h
 * How far a long work is, and how long it will still take, for people who wait. The share never falls,
 * whatever becomes known of the work meanwhile; a time is told only while it can be right. */
#ifndef SD_ETA_H
#define SD_ETA_H

/** A work in progress. All-zero is one that has not begun. */
typedef struct sd_eta {
  double share; /* of the whole, 0 to 1; never falls */
  double done, left;
  struct sd_eta_mark {
    double at, done, all;
  } began, mark[2]; /* and two moments since, the older one first: the pace of late is that behind it */
  double now;
} sd_eta;

/** The work begins, or goes on where so much of it was done before. Times are seconds of any clock. */
void sd_eta_begin (sd_eta *e, double now, double share);

/** So much has been done since it began, and so much is left as far as one knows now, in one unit. What is
 * known of the rest may change: the share then goes on from where it is, slower or faster, and arrives with
 * the work. */
void sd_eta_update (sd_eta *e, double now, double done, double left);

/** Seconds that are left; NaN: not known, because little has been seen, the pace has changed of late, or what
 * is known of the rest has. */
double sd_eta_left (const sd_eta *e);

#endif
