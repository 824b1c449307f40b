import { join } from 'node:path'
import { homeFolder } from '../../config/home-folder.ts'
import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { launchdAgent, launchdLabel } from './launchd-agent.ts'
import { messages } from './messages.ts'
import { isInNpxCache, stableNode } from './program-path.ts'
import type { ServiceDefinition } from './service-definition.ts'
import { serviceFileMark } from './service-file.ts'
import { SYSTEM_HOME, SYSTEM_USER, systemdUnit } from './systemd-unit.ts'

/** A program with its arguments. @see `ServicePlan.enable` */
export interface ServiceCommand {
  readonly argv: readonly [string, ...string[]]
  /** It fails when there is nothing to do. */
  readonly mayFail?: boolean
}

/** The file for one service manager, and the commands that enable and disable it. */
export interface ServicePlan {
  readonly definition: ServiceDefinition
  readonly file: string
  /** The complete content of the file. */
  readonly text: string
  /** Starts it now and at every sign-in or boot; restarts a running one. */
  readonly enable: readonly ServiceCommand[]
  /** Before the file is removed, and after. */
  readonly disable: readonly ServiceCommand[]
  readonly forget: readonly ServiceCommand[]
  /** The command or file that shows its logs. */
  readonly logs: string
  readonly notes: readonly string[]
}

export interface ServiceChoice {
  readonly isSystem: boolean
  /** Absent: all of them. */
  readonly roles?: readonly string[]
}

/**
 * The plan for systemd on Linux, or launchd on macOS.
 * @throws AppError `invalid` on other platforms, for a system service on macOS, and for paths that the file cannot
 * contain
 */
export function servicePlan(choice: ServiceChoice, context: Context): ServicePlan {
  const { platform } = context.machine
  if (platform !== 'linux' && platform !== 'darwin') {
    throw new AppError('invalid', messages.noManager(platform))
  }
  if (platform === 'darwin' && choice.isSystem) {
    throw new AppError('invalid', messages.noSystemOnMac, {
      field: 'system',
    })
  }
  const definition = serviceDefinition(choice, context)
  return platform === 'darwin' ? launchdPlan(definition, context) : systemdPlan(definition, context)
}

function serviceDefinition({ isSystem, roles }: ServiceChoice, context: Context): ServiceDefinition {
  const { nodePath, launcherPath } = context.machine
  if (isInNpxCache(launcherPath)) {
    throw new AppError('invalid', messages.npxService(launcherPath))
  }
  const home = chosenHome(isSystem, context)
  const ofRoles = roles === undefined ? [] : ['--roles', roles.join(',')]
  const command: ServiceDefinition['command'] = [stableNode(nodePath), launcherPath, 'up', '--home', home, ...ofRoles]
  for (const word of command) {
    if (/\p{Cc}/u.test(word)) {
      throw new AppError('invalid', messages.controlCharacter(JSON.stringify(word)))
    }
  }
  const name = ['recalld', ...(roles ?? [])].join('-')
  return { name, command, home, environmentFile: join(home, 'recalld.env'), isSystem }
}

/** A system service has its own home, unless another one was chosen. */
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
  const edit = messages.editUnit(['systemctl', ...scope, 'edit', unit].join(' '))
  return {
    definition,
    file: join(folder, unit),
    text: `# ${serviceFileMark(body)}. ${edit}\n${body}`,
    enable: [systemctl('daemon-reload'), systemctl('enable', unit), systemctl('restart', unit)],
    disable: [systemctl('disable', '--now', unit)],
    forget: [systemctl('daemon-reload')],
    logs: `journalctl ${[...scope, '-u', unit, '-f'].join(' ')}`,
    notes: isSystem ? systemNotes(home, machine.userHome, definition) : [messages.linger(machine.userName)],
  }
}

function systemNotes(home: string, userHome: string, { command }: ServiceDefinition): string[] {
  const hidden = command.slice(0, 2).filter((path) => path.startsWith(`${userHome}/`))
  return [
    messages.createUser(SYSTEM_USER, SYSTEM_HOME),
    ...(home === SYSTEM_HOME ? [] : [messages.homeOfUser(home, SYSTEM_USER)]),
    ...(hidden.length === 0 ? [] : [messages.mustRead(SYSTEM_USER, hidden)]),
  ]
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
    // XML allows a comment only after the first line.
    text: body.replace('\n', `\n<!-- ${serviceFileMark(body)} -->\n`),
    enable: [end, { argv: ['launchctl', 'bootstrap', domain, file] }],
    disable: [end],
    forget: [],
    logs: logFile,
    notes: [],
  }
}
