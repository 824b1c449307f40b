/** Texts of `recalld --help` besides the commands. */
export const messages = {
  about: 'A self-hosted memory for people who work with AI agents.',
  home: 'folder of the database, keys and settings (default: RECALLD_HOME)',
  groups: {
    start: 'Start and check:',
    ask: 'Ask and look up:',
    keep: 'Your memories:',
    sources: 'Sources:',
    agents: 'Agents:',
    models: 'Models and quality:',
    administration: 'Administration:',
  },
  help: `
Examples:
  $ recalld up                                   start the service; the first start prints your key
  $ recalld memorize notes/*.md                  upload files
  $ recalld recall what did we decide about caching
  $ recalld ask when does the migration start
  $ recalld connect slack                        connect a source; "recalld sync" reads it now
  $ recalld demo                                 try everything in a temporary home

Run "recalld <command> --help" for details. Settings are in config.yaml in the home folder.`,
  helpAfterError: '(run "recalld --help" to see all commands)',
  commandHelpAfterError: (command: string) => `(run "${command} --help" to see how to use it)`,
} as const
