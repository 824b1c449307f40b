import { expect, test } from 'vitest'
import { type DeviceCode, githubDeviceFlow } from '../../connectors/github/device-flow.ts'
import { GithubServer } from '../kit/github-server.ts'

test.each(['', '/api/v3'])('a person grants a token by entering a code elsewhere (%s)', async (prefix) => {
  await using server = await GithubServer.start({ prefix })
  server.pendingPolls = 2
  const codes: DeviceCode[] = []
  const onCode = (code: DeviceCode) => codes.push(code)
  const token = await githubDeviceFlow({ clientId: 'Iv1.1', scopes: ['repo'], baseUrl: server.url, onCode })
  expect(token).toBe(server.token)
  expect(codes).toEqual([{ code: 'ABCD-1234', url: 'https://github.test/login/device', expiresInSeconds: 900 }])
  expect(server.log.map(({ path }) => path)).toEqual([
    '/login/device/code',
    '/login/oauth/access_token',
    '/login/oauth/access_token',
    '/login/oauth/access_token',
  ])
})

test('a person who refuses is told to start again', async () => {
  await using server = await GithubServer.start()
  const error = { error: 'access_denied', error_description: 'The authorization request was denied.', error_uri: 'x' }
  server.faults.push({ path: /access_token/, status: 200, body: error })
  const flow = githubDeviceFlow({ clientId: 'Iv1.1', scopes: [], baseUrl: server.url, onCode: () => undefined })
  await expect(flow).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: 'GitHub gave no token (access_denied): start again.',
  })
})
