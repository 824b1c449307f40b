/** So soon one end notices that nothing comes from the other any more, not even that it ended. */
const SILENT_MS = 25_000
/** Of that, how long nothing has to be said before the first question. */
export const QUIET_MS = 10_000

const QUESTIONS = 3

/**
 * Statements that make the server give a connection up when the machine at the other end is gone. By default that takes two
 * hours, in which its session keeps its place among `max_connections`, and what it had locked. As statements, because
 * poolers refuse such parameters when a connection is made.
 */
export const NOTICE_SILENCE = [
  `set tcp_keepalives_idle = ${QUIET_MS / 1_000}`,
  `set tcp_keepalives_interval = ${(SILENT_MS - QUIET_MS) / QUESTIONS / 1_000}`,
  `set tcp_keepalives_count = ${QUESTIONS}`,
  `set tcp_user_timeout = ${SILENT_MS}`,
].join('; ')
