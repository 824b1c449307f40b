import type { Command } from 'commander'
import type { Context } from './context.ts'

export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('give an agent the memory: an MCP server on standard input and output')
    .addHelpText(
      'after',
      '\nAn agent starts this by itself once it is installed there:\n  $ recalld install-mcp claude-code\n\nIt needs a running service ("recalld up"), here or where RECALLD_URL says.',
    )
    .action(async () => {
      const stop = new AbortController()
      void context.stopRequested().then(() => stop.abort())
      await context.serveMcp(context.config(), stop.signal)
    })
}
