/** As the migration `daily-tasks` makes it. */
export interface DailyTaskTables {
  daily_task: { name: string; lease_holder: string | null; lease_until: number | null; done_at: number | null }
}
