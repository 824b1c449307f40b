/** For every request to mailbox and calendar: other ids change when something is moved. */
export const IMMUTABLE = 'IdType="ImmutableId"'
