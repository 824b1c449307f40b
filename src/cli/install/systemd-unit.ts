import { ENOUGH_OPEN_FILES } from '../../config/connection-limits.ts'
import type { ServiceDefinition } from './service-definition.ts'

/** The user that runs a unit of the machine, and the folder that systemd makes for it. */
export const SYSTEM_USER = 'recalld'
export const SYSTEM_HOME = '/var/lib/recalld'

/**
 * Sandbox that works without privileges; with those of the machine's manager, that of `SYSTEM_SANDBOX` is added. Not
 * among them: MemoryDenyWriteExecute, because V8 compiles while it runs.
 */
const SANDBOX = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'PrivateTmp=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
]
const SYSTEM_SANDBOX = [
  'CapabilityBoundingSet=',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
]

/** The lines of a unit. systemd 244 or newer reads it; man systemd.unit and systemd.exec say what each line means. */
export function systemdUnit({ command, home, environmentFile, isSystem }: ServiceDefinition): string {
  const [program, ...args] = command
  const isStateFolder = isSystem && home === SYSTEM_HOME
  return [
    '[Unit]',
    'Description=recalld, a memory for people who work with AI agents',
    ...(isSystem ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '# Keep retrying: what it needs may be down for hours.',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(isSystem ? [`User=${SYSTEM_USER}`] : []),
    // With the colon, "$" means itself.
    `ExecStart=:${[program, ...args].map(quoted).join(' ')}`,
    `EnvironmentFile=-${globLiteral(percentLiteral(environmentFile))}`,
    'Restart=on-failure',
    'RestartSec=10',
    '# A usage error would only repeat.',
    'RestartPreventExitStatus=2',
    '# It stops by itself within 10 seconds.',
    'TimeoutStopSec=20',
    '# The first start prints a key, which must not get into the journal; it is also in credentials.json.',
    'StandardOutput=null',
    'StandardError=journal',
    'UMask=0077',
    'MemoryMax=2G',
    '# The limit on client connections follows from it.',
    `LimitNOFILE=${ENOUGH_OPEN_FILES}`,
    '',
    ...SANDBOX,
    ...(isSystem ? SYSTEM_SANDBOX : []),
    isStateFolder ? 'StateDirectory=recalld\nStateDirectoryMode=0700' : `ReadWritePaths=${quoted(home)}`,
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n')
}

/** A word of a line of words: in quotes, in which the backslash and the quote are escaped. */
function quoted(text: string): string {
  return `"${percentLiteral(text).replace(/[\\"]/g, '\\$&')}"`
}

/** "%h" and the like are replaced in every value. */
function percentLiteral(text: string): string {
  return text.replaceAll('%', '%%')
}

/** This one value is no line of words, but a pattern of file names. */
function globLiteral(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
