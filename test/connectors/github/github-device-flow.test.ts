import { expect, test } from 'vitest'
import { githubDeviceToken } from '../../../connectors/github/github-account.ts'
import { GithubServer } from '../../fakes/github/github-server.ts'

test.each(['', '/api/v3'])('a person grants a token by entering a code elsewhere (%s)', async (prefix) => {
  await using server = await GithubServer.start({ prefix })
  server.pendingPolls = 2
  const codes: string[][] = []
  const onCode = (...code: string[]) => void codes.push(code)
  const token = await githubDeviceToken({ clientId: 'Iv1.1', apiUrl: server.url, onCode })
  expect(token).toBe(server.token)
  expect(codes).toEqual([['ABCD-1234', 'https://github.test/login/device']])
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
  const flow = githubDeviceToken({ clientId: 'Iv1.1', apiUrl: server.url, onCode: () => undefined })
  await expect(flow).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: 'GitHub issued no token (access_denied). Start again.',
  })
})
