/** \file transport_mpi.h
 * The transport over MPI. The only header that names MPI. */
#ifndef SD_GEN_TRANSPORT_MPI_H
#define SD_GEN_TRANSPORT_MPI_H

#include "gen/solve/solve.h"
#include <mpi.h>

/** Collective over `comm`, which is duplicated. MPI's own failures abort the program, as MPI does by default.
 */
int sd_transport_mpi_new (MPI_Comm comm, sd_transport *out, sd_error *err);

/** Collective; {0} does nothing. */
void sd_transport_mpi_free (sd_transport *t);

#endif
