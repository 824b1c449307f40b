import { join } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { launchdAgent, launchdLabel } from './launchd-agent.ts'
import { stableNode } from './program-path.ts'
import type { ServiceDefinition } from './service-definition.ts'
import { serviceFileMark } from './service-file.ts'
import { SYSTEM_HOME, SYSTEM_USER, systemdUnit } from './systemd-unit.ts'

/** A program with its arguments. @see `ServicePlan.enable` */
export interface ServiceCommand {
  readonly argv: readonly [string, ...string[]]
  /** Its failure means that there was nothing to do. */
  readonly mayFail?: boolean
}

/** What one service manager needs: a file, and the commands that make it known or end it. */
export interface ServicePlan {
  readonly definition: ServiceDefinition
  readonly file: string
  /** Of the file, whole. */
  readonly text: string
  /** Starts it, now and from now on; what runs already starts anew. */
  readonly enable: readonly ServiceCommand[]
  /** Before the file is removed, and after. */
  readonly disable: readonly ServiceCommand[]
  readonly forget: readonly ServiceCommand[]
  /** Where what it says can be read. */
  readonly logs: string
  readonly notes: readonly string[]
}

export interface ServiceChoice {
  readonly isSystem: boolean
  /** Absent: all of them. */
  readonly roles?: readonly string[]
}

/**
 * How recalld is run by systemd on Linux, and by launchd on macOS.
 *
 * @throws AppError `invalid` on other platforms, for a unit of the machine on macOS, and for paths that no such file can hold
 */
export function servicePlan(choice: ServiceChoice, context: Context): ServicePlan {
  const { platform } = context.machine
  if (platform !== 'linux' && platform !== 'darwin') {
    throw new AppError(
      'invalid',
      `There is no systemd or launchd on ${platform}: let what starts programs there run "recalld up" (docs/operations.md).`,
    )
  }
  if (platform === 'darwin' && choice.isSystem) {
    throw new AppError('invalid', 'On macOS recalld runs for the person who is signed in: leave out --system.', {
      field: 'system',
    })
  }
  const definition = defined(choice, context)
  return platform === 'darwin' ? launchdPlan(definition, context) : systemdPlan(definition, context)
}

function defined({ isSystem, roles }: ServiceChoice, context: Context): ServiceDefinition {
  const { nodePath, launcherPath } = context.machine
  if (/[\\/]_npx[\\/]/.test(launcherPath)) {
    throw new AppError(
      'invalid',
      `recalld runs from the cache of npx (${launcherPath}), which npm empties. Install it with "npm install -g recalld" first.`,
    )
  }
  const home = chosenHome(isSystem, context)
  const ofRoles = roles === undefined ? [] : ['--roles', roles.join(',')]
  const command: ServiceDefinition['command'] = [stableNode(nodePath), launcherPath, 'up', '--home', home, ...ofRoles]
  for (const word of command) {
    if (/\p{Cc}/u.test(word)) {
      throw new AppError(
        'invalid',
        `${JSON.stringify(word)} holds a control character, which no service manager takes.`,
      )
    }
  }
  const name = ['recalld', ...(roles ?? [])].join('-')
  return { name, command, home, environmentFile: join(home, 'recalld.env'), isSystem }
}

/** The folder of the person is not for the machine, unless it was named. */
function chosenHome(isSystem: boolean, { home, io, machine }: Context): string {
  const chosen = home().home
  const { RECALLD_HOME: _, ...env } = io.env
  const ofPerson = homeFolder({ env, platform: machine.platform, userHome: machine.userHome })
  return isSystem && chosen === ofPerson ? SYSTEM_HOME : chosen
}

function systemdPlan(definition: ServiceDefinition, { io, machine }: Context): ServicePlan {
  const { isSystem, home } = definition
  const unit = `${definition.name}.service`
  const settings = io.env.XDG_CONFIG_HOME
  const ofPerson = settings?.startsWith('/') ? settings : join(machine.userHome, '.config')
  const folder = isSystem ? '/etc/systemd/system' : join(ofPerson, 'systemd', 'user')
  const scope = isSystem ? [] : ['--user']
  const systemctl = (...args: string[]): ServiceCommand => ({ argv: ['systemctl', ...scope, ...args] })
  const body = systemdUnit(definition)
  const edit = `Change it by "systemctl ${[...scope, 'edit', unit].join(' ')}".`
  return {
    definition,
    file: join(folder, unit),
    text: `# ${serviceFileMark(body)}. ${edit}\n${body}`,
    enable: [systemctl('daemon-reload'), systemctl('enable', unit), systemctl('restart', unit)],
    disable: [systemctl('disable', '--now', unit)],
    forget: [systemctl('daemon-reload')],
    logs: `journalctl ${[...scope, '-u', unit, '-f'].join(' ')}`,
    notes: isSystem ? systemNotes(home, machine.userHome, definition) : [lingerNote(machine.userName)],
  }
}

function systemNotes(home: string, userHome: string, { command }: ServiceDefinition): string[] {
  const hidden = command.slice(0, 2).filter((path) => path.startsWith(`${userHome}/`))
  return [
    `It runs as the user ${SYSTEM_USER}; unless there is one: useradd --system --user-group --home-dir ${SYSTEM_HOME} --shell /usr/sbin/nologin ${SYSTEM_USER}`,
    ...(home === SYSTEM_HOME ? [] : [`${home} must exist and belong to ${SYSTEM_USER}.`]),
    ...(hidden.length === 0 ? [] : [`${SYSTEM_USER} must be able to read ${hidden.join(' and ')}.`]),
  ]
}

function lingerNote(userName: string): string {
  return `It runs while you are signed in. For it to run from the start of the machine: loginctl enable-linger ${userName}`
}

function launchdPlan(definition: ServiceDefinition, { machine }: Context): ServicePlan {
  const label = launchdLabel(definition.name)
  const file = join(machine.userHome, 'Library', 'LaunchAgents', `${label}.plist`)
  const logFile = join(machine.userHome, 'Library', 'Logs', `${definition.name}.log`)
  const body = launchdAgent(definition, logFile)
  const domain = `gui/${machine.userId ?? ''}`
  const end: ServiceCommand = { argv: ['launchctl', 'bootout', `${domain}/${label}`], mayFail: true }
  return {
    definition,
    file,
    // A comment may only stand after the first line.
    text: body.replace('\n', `\n<!-- ${serviceFileMark(body)} -->\n`),
    enable: [end, { argv: ['launchctl', 'bootstrap', domain, file] }],
    disable: [end],
    forget: [],
    logs: logFile,
    notes: [],
  }
}
