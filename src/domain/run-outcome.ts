/** How a run ended. `waiting`: a rate limit; `attention`: the person has to do something; `stopped`: too many failures. */
export const RUN_OUTCOMES = ['ok', 'partial', 'waiting', 'attention', 'stopped', 'aborted'] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]
