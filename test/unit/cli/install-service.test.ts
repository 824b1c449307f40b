import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../lib/command-line.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const MACHINE = {
  platform: 'linux',
  userName: 'ada',
  userId: 501,
  nodePath: '/opt/node',
  launcherPath: '/opt/recalld.js',
}

/** A person with a home of their own, who installs services. */
function person(machine: object = {}, env: Record<string, string> = {}) {
  const userHome = temporaryFolder()
  const install = async (...args: string[]) => {
    const result = await runCommand(['install-service', ...args], env, {
      machine: { ...MACHINE, userHome, ...machine },
    })
    return { ...result, json: args.includes('--json') && result.code === 0 ? JSON.parse(result.stdout) : undefined }
  }
  return { userHome, install, unit: join(userHome, '.config/systemd/user/recalld.service') }
}

/** A `systemctl` that writes down how it was called, and fails for the verbs named. */
function fakeSystemctl(...failing: string[]) {
  const folder = temporaryFolder()
  const calls = join(folder, 'calls')
  const cases = failing.map((verb) => `*" ${verb} "*) echo "no such thing" >&2; exit 1;;`).join(' ')
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$*" >> ${calls}\ncase " $* " in ${cases} *) ;; esac\n`)
  chmodSync(join(folder, 'systemctl'), 0o755)
  return {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  }
}

describe('install-service with systemd', () => {
  test('writes a unit of the person, and says how to start it', async () => {
    const { install, unit, userHome } = person()
    const { code, stdout } = await install()
    expect(code).toBe(0)
    const text = readFileSync(unit, 'utf8')
    expect(text).toContain(
      `ExecStart=:"/opt/node" "/opt/recalld.js" "up" "--home" "${userHome}/.local/share/recalld"\n`,
    )
    expect(text).toContain(`ReadWritePaths="${userHome}/.local/share/recalld"\n`)
    expect(text).toContain('WantedBy=default.target')
    expect(text).toContain('LimitNOFILE=32768\n')
    expect(stdout).toContain('systemctl --user enable recalld.service')
    expect(statSync(unit).mode & 0o777).toBe(0o644)
    expect(readdirSync(dirname(unit))).toEqual(['recalld.service'])
  })

  test('makes the home, which nothing else could make from inside of the sandbox', async () => {
    const { install, userHome } = person()
    await install()
    expect(statSync(join(userHome, '.local/share/recalld')).mode & 0o777).toBe(0o700)
  })

  test('changes nothing the second time', async () => {
    const { install, unit } = person()
    await install()
    const before = statSync(unit)
    expect((await install('--json')).json).toMatchObject({ result: 'unchanged', file: unit })
    expect(statSync(unit)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  test('replaces what it wrote itself when something is different now', async () => {
    const machine = { nodePath: '/opt/node' }
    const { install, unit } = person(machine)
    await install()
    const older = readFileSync(unit, 'utf8')
    machine.nodePath = '/opt/newer-node'
    expect((await install('--json')).json).toMatchObject({ result: 'written' })
    const sum = /\([0-9a-f]{16}\)/
    const expected = older.replace('/opt/node', '/opt/newer-node').replace(sum, '')
    expect(readFileSync(unit, 'utf8').replace(sum, '')).toBe(expected)
  })

  test.each([
    ['somebody else wrote', () => '[Service]\nExecStart=/bin/true\n'],
    ['was changed since', (made: string) => made.replace('MemoryMax=2G', 'MemoryMax=8G')],
  ])('leaves a unit alone that %s, unless it is forced', async (_, change) => {
    const { install, unit } = person()
    await install()
    const changed = change(readFileSync(unit, 'utf8'))
    writeFileSync(unit, changed)
    for (const args of [[], ['--uninstall']]) {
      const refused = await install(...args)
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('--force')
      expect(readFileSync(unit, 'utf8')).toBe(changed)
    }
    expect((await install('--force')).code).toBe(0)
    expect(readFileSync(unit, 'utf8')).toContain('MemoryMax=2G')
  })

  test('prints without writing', async () => {
    const { install, userHome } = person()
    const { stdout } = await install('--print')
    expect(stdout).toContain('[Service]')
    expect(readdirSync(userHome)).toEqual([])
  })

  test('takes no variable of the shell along', async () => {
    const { install, userHome } = person({}, { RECALLD_API_KEY: 'rk_secret', RECALLD_PORT: '9', SLACK_TOKEN: 'xoxb' })
    const { stdout } = await install('--print')
    expect(stdout).not.toMatch(/rk_secret|RECALLD_PORT|xoxb/)
    expect(stdout).toContain(`EnvironmentFile=-${userHome}/.local/share/recalld/recalld.env\n`)
  })

  test('keeps the key of the first start out of the journal', async () => {
    expect((await person().install('--print')).stdout).toContain('StandardOutput=null\n')
  })

  test('gives each list of roles a service of its own', async () => {
    const { install, unit } = person()
    await install('--roles', 'scheduler, worker')
    const [name] = readdirSync(dirname(unit))
    expect(name).toBe('recalld-worker-scheduler.service')
    expect(readFileSync(join(dirname(unit), name ?? ''), 'utf8')).toContain('"--roles" "worker,scheduler"\n')
    const wrong = await install('--roles', 'wroker')
    expect({ code: wrong.code, stderr: wrong.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean worker?'),
    })
  })

  test('for the machine, runs as a user of its own, in a folder that systemd makes', async () => {
    const { stdout } = await person().install('--system', '--print')
    expect(stdout).toContain('In /etc/systemd/system/recalld.service:')
    for (const line of [
      'User=recalld',
      'StateDirectory=recalld',
      'CapabilityBoundingSet=',
      'WantedBy=multi-user.target',
    ])
      expect(stdout).toContain(`${line}\n`)
    expect(stdout).toContain('"--home" "/var/lib/recalld"\n')
    expect(stdout).toContain('useradd --system')
  })

  test('for the machine, takes another home when one is named', async () => {
    const { stdout } = await person().install('--system', '--print', '--home', '/srv/memory')
    expect(stdout).toContain('ReadWritePaths="/srv/memory"\n')
    expect(stdout).not.toContain('StateDirectory')
  })

  test('writes whatever stands in a path as systemd reads it', async () => {
    const { stdout } = await person().install('--print', '--home', '/a b/100% "x" $HOME \\n [y]')
    expect(stdout).toContain('"--home" "/a b/100%% \\"x\\" $HOME \\\\n [y]"\n')
    expect(stdout).toContain('ReadWritePaths="/a b/100%% \\"x\\" $HOME \\\\n [y]"\n')
    expect(stdout).toContain('EnvironmentFile=-/a b/100%% "x" $HOME \\\\n \\[y\\]/recalld.env\n')
  })

  test('refuses a path that would begin a line of its own', async () => {
    const { code, stderr } = await person().install('--print', '--home', '/a\nExecStartPre=/bin/true')
    expect(code).toBe(1)
    expect(stderr).toContain('control character')
  })

  test('refuses to start from the cache of npx, which npm empties', async () => {
    const { stderr } = await person({
      launcherPath: '/home/ada/.npm/_npx/1f/node_modules/recalld/bin/recalld.js',
    }).install()
    expect(stderr).toContain('npm install -g recalld')
  })
})

describe('install-service --now', () => {
  test('has systemd read, enable and start the unit', async () => {
    const systemctl = fakeSystemctl()
    const { install } = person({}, systemctl.env)
    expect((await install('--now', '--json')).json).toMatchObject({ result: 'written', next: [] })
    expect(systemctl.calls()).toEqual([
      '--user daemon-reload',
      '--user enable recalld.service',
      '--user restart recalld.service',
    ])
  })

  test('ends the service before its unit is removed', async () => {
    const systemctl = fakeSystemctl()
    const { install, unit } = person({}, systemctl.env)
    await install()
    expect((await install('--uninstall', '--now', '--json')).json).toMatchObject({ result: 'removed' })
    expect(existsSync(unit)).toBe(false)
    expect(systemctl.calls()).toEqual(['--user disable --now recalld.service', '--user daemon-reload'])
    expect((await install('--uninstall', '--json')).json).toMatchObject({ result: 'absent' })
  })

  test('says what systemd said when it fails', async () => {
    const { env } = fakeSystemctl('restart')
    const { code, stderr } = await person({}, env).install('--now')
    expect(code).toBe(1)
    expect(stderr).toContain('"systemctl --user restart recalld.service" failed: no such thing')
  })

  test('runs no command without it', async () => {
    const systemctl = fakeSystemctl()
    const { install } = person({}, systemctl.env)
    await install()
    await install('--uninstall')
    expect(systemctl.calls()).toEqual([])
  })
})

describe('install-service with launchd', () => {
  const hasPython = existsSync('/usr/bin/python3')

  test.skipIf(!hasPython)('writes an agent that a reader of property lists reads back', async () => {
    const { install, userHome } = person({ platform: 'darwin' })
    const home = join(userHome, 'a & b', '<c> "d"')
    const { json } = await install('--home', home, '--json')
    expect(json.file).toBe(join(userHome, 'Library/LaunchAgents/io.github.recalld.recalld.plist'))
    const read = execFileSync('/usr/bin/python3', [
      '-c',
      'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))',
      json.file,
    ])
    expect(JSON.parse(String(read))).toEqual({
      Label: 'io.github.recalld.recalld',
      ProgramArguments: [
        '/opt/node',
        `--env-file-if-exists=${home}/recalld.env`,
        '/opt/recalld.js',
        'up',
        '--home',
        home,
      ],
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      ExitTimeOut: 20,
      SoftResourceLimits: { NumberOfFiles: 32_768 },
      HardResourceLimits: { NumberOfFiles: 32_768 },
      Umask: 0o077,
      StandardOutPath: '/dev/null',
      StandardErrorPath: join(userHome, 'Library/Logs/recalld.log'),
    })
  })

  test('says how launchd is told of it, with quotes where a shell needs them', async () => {
    const { install, userHome } = person({ platform: 'darwin' })
    const { json } = await install('--json', '--roles', 'worker')
    expect(json.next).toEqual([
      'launchctl bootout gui/501/io.github.recalld.recalld-worker   # if it runs',
      `launchctl bootstrap gui/501 ${join(userHome, 'Library/LaunchAgents/io.github.recalld.recalld-worker.plist')}`,
    ])
  })

  test('knows its own file again', async () => {
    const { install } = person({ platform: 'darwin' })
    await install()
    expect((await install('--json')).json).toMatchObject({ result: 'unchanged' })
    expect((await install('--uninstall', '--json')).json).toMatchObject({ result: 'removed' })
  })

  test('has no service of the machine', async () => {
    const { stderr } = await person({ platform: 'darwin' }).install('--system')
    expect(stderr).toContain('Leave out --system')
  })
})

test('install-service says what to do instead where there is neither systemd nor launchd', async () => {
  const { code, stderr } = await person({ platform: 'win32' }).install()
  expect(code).toBe(1)
  expect(stderr).toContain('docs/operations.md')
})
