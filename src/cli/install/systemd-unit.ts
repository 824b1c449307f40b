import { ENOUGH_OPEN_FILES } from '../../config/connection-limits.ts'
import type { ServiceDefinition } from './service-definition.ts'

/** The user of a system unit, and the folder that systemd creates for it. */
export const SYSTEM_USER = 'recalld'
export const SYSTEM_HOME = '/var/lib/recalld'

/**
 * Sandbox options that need no privileges; a system unit adds `SYSTEM_SANDBOX`. MemoryDenyWriteExecute is missing,
 * because V8 compiles at run time.
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

/** The lines of a unit for systemd 244 or newer; man systemd.unit and systemd.exec explain them. */
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
    // With the colon, "$" is literal.
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

/** A word of a command line: quoted, with escaped backslash and quote. */
function quoted(text: string): string {
  return `"${percentLiteral(text).replace(/[\\"]/g, '\\$&')}"`
}

/** "%h" and the like are replaced in every value. */
function percentLiteral(text: string): string {
  return text.replaceAll('%', '%%')
}

/** This value is not a command line, but a glob pattern. */
function globLiteral(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
