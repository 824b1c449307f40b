/** As the migration `database-identity` makes it. */
export interface IdentityTables {
  database_identity: { database_id: string }
}
