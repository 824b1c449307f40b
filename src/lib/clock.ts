/** Injected wherever the time of day matters, so that tests can move it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
