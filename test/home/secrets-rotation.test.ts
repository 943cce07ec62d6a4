/** Monthly rotation (E-11): by the tool if its service can, otherwise the owner is asked once a month. */
import { beforeEach, describe, expect, test } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { endingWords } from '../../sidecar/oauth/ending.ts'
import { isSecretOff } from '../../sidecar/secrets/bound-credentials.ts'
import {
  createRenewer,
  ROTATE_AFTER,
  type RotationInput,
  rotateSecrets,
  TOLD_BEFORE,
  tellEnding,
} from '../../sidecar/secrets/rotation-job.ts'
import { startServer, startTransport } from '../tools/servers.ts'
import { CANARY, NEXT, SCOPE, type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

let world: SecretsWorld
let told: string[]
beforeEach(async () => {
  world = await secretsWorld()
  told = []
  await world.secrets.set({ name: 'google', kind: 'token', scope: SCOPE, value: CANARY })
})

let off: readonly string[] = []
beforeEach(() => {
  off = []
})
const look = (renew: RotationInput['renew'] = async () => null) =>
  rotateSecrets({
    ...{ secrets: world.secrets, renew, now: () => world.clock.now },
    isOff: (name) => off.includes(name),
    tell: async ({ code }) => told.push(code),
  })
const later = (ms: number): void => {
  world.clock.now += ms
}

test('a secret of less than half a month waits for the next rotation', async () => {
  later(ROTATE_AFTER - 1)
  await look()
  expect(told).toEqual([])
})

test('the owner is asked once, and again at the next rotation', async () => {
  later(ROTATE_AFTER)
  await look()
  await look()
  expect(told).toEqual(['credential_due'])
  later(ROTATE_AFTER)
  await look()
  expect(told).toEqual(['credential_due', 'credential_due'])
})

test('of a service that is switched off nothing is asked and nobody is told, until it is on again', async () => {
  later(ROTATE_AFTER)
  off = ['google']
  const asked: string[] = []
  const renew: RotationInput['renew'] = async (name) => {
    asked.push(name)
    return { ok: true, value: NEXT }
  }
  await look(renew)
  expect([asked, told, await valueInForce(world.secrets)]).toEqual([[], [], `v1 ${CANARY}`])
  off = []
  await look(renew)
  expect([asked, told, await valueInForce(world.secrets)]).toEqual([['google'], [], `v2 ${NEXT}`])
})

test.each([
  ['google', ['google'], true],
  ['http/api.example.com', ['http/api.example.com'], true],
  ['http/api.example.com', ['google'], false],
])('the secret %s, with %j switched off', (name, services, is) => {
  const config = parseConfig('')
  expect(config.ok && isSecretOff(config.value, services, name)).toBe(is)
})

test('after a new value nobody is asked', async () => {
  later(ROTATE_AFTER)
  await world.secrets.rotate('google', NEXT)
  await look()
  expect(told).toEqual([])
})

test.each([
  ['the service says no', err('remote_rejected')],
  ['the service gives nothing of use', { ok: true, value: 'x y' }],
] as const)('the owner is asked when %s', async (_, answer) => {
  later(ROTATE_AFTER)
  await look(async () => answer)
  expect([told, await valueInForce(world.secrets)]).toEqual([['credential_due'], `v1 ${CANARY}`])
})

describe('a tool whose service can renew', () => {
  const manifest: Tool['manifest'] = {
    ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], network: [], actions: [] },
    credential: 'google',
  }
  const execute: Tool['execute'] = async () => ({ ok: true, output: {} })

  test('exchanges the present token for the next one at its own host', async () => {
    const server = await startServer(({ headers, path }, response) => {
      const known = headers.authorization === `Bearer ${CANARY}` && path === '/rotate'
      response.writeHead(known ? 200 : 401).end(known ? NEXT : '')
    })
    const scope = { ...SCOPE, hosts: [server.host] }
    await world.secrets.set({ name: 'google', kind: 'token', scope, value: CANARY })
    const renewing: Tool = {
      ...{ manifest: { ...manifest, network: [server.host] }, execute },
      async renew({ credential, http }) {
        const headers = { authorization: `Bearer ${credential.value}` }
        const answer = await http.request({ method: 'POST', url: `${server.origin}/rotate`, headers })
        return answer.ok ? { ok: true, value: answer.value.body } : answer
      },
    }
    later(ROTATE_AFTER)
    await look(renewer(renewing, [server.origin]))
    expect([told, await valueInForce(world.secrets)]).toEqual([[], `v3 ${NEXT}`])
    expect(world.redactor.text('log', NEXT)).toBe('[redacted]')
  })

  test('that throws has failed, and its error text is dropped', async () => {
    const throwing: Tool = {
      ...{ manifest, execute },
      renew: async ({ credential }) => {
        throw new Error(credential.value)
      },
    }
    expect(await renewer(throwing)('google')).toEqual(err('tool_failed', { tool: 'probe' }))
  })

  test.each([
    ['another tool', { name: 'other' }],
    ['another name', { credential: 'github' }],
  ])('gets nothing for %s', async (_, change) => {
    const seen: string[] = []
    const tool: Tool = {
      ...{ manifest: { ...manifest, ...change }, execute },
      renew: async ({ credential }) => {
        seen.push(credential.value)
        return { ok: true, value: NEXT }
      },
    }
    expect([await renewer(tool)('google'), seen]).toEqual([null, []])
  })

  const renewer = (tool: Tool, exemptOrigins: readonly string[] = []) =>
    createRenewer({
      ...{ tools: [tool], transport: startTransport(), exemptOrigins },
      ...{ secrets: world.secrets, redactor: world.redactor, nameOf: (name: string) => name },
    })
})

describe('a permission that its service ends by itself', () => {
  const WEEK = 7 * 86_400_000
  let notices: { readonly id: string; readonly words: string }[]
  const ending = () =>
    tellEnding({
      ...{ secrets: world.secrets, isOff: (name) => off.includes(name), now: () => world.clock.now },
      tell: async (notice) => notices.push(notice),
      wordsOf: (name, endsAt) => `${name} ends ${endsAt}`,
    })
  const setFor = async (name: string, lifetime?: number): Promise<number> => {
    const endsAt = lifetime === undefined ? undefined : world.clock.now + lifetime
    await world.secrets.set({ name, kind: 'token', scope: SCOPE, value: CANARY, endsAt })
    return endsAt ?? 0
  }
  beforeEach(() => {
    notices = []
  })

  test('is told of a day before, once', async () => {
    const endsAt = await setFor('google', WEEK)
    later(WEEK - TOLD_BEFORE - 1)
    await ending()
    expect(notices).toEqual([])
    later(1)
    await ending()
    later(3_600_000)
    await ending()
    expect(notices).toEqual([
      { id: `credential-ends:google:${endsAt}`, code: 'credential_due', words: `google ends ${endsAt}` },
    ])
  })

  test('is told of anew once it was given anew', async () => {
    await setFor('google', WEEK)
    later(WEEK - 1)
    await ending()
    await setFor('google', WEEK)
    await ending()
    expect(notices).toHaveLength(1)
    later(WEEK - 1)
    await ending()
    expect(notices).toHaveLength(2)
  })

  test.each<readonly [what: string, prepare: () => Promise<unknown>]>([
    ['that lasts', () => setFor('google')],
    [
      'that was replaced by another value',
      async () => {
        await setFor('google', WEEK)
        await world.secrets.rotate('google', NEXT)
      },
    ],
    [
      'of a service that is switched off',
      async () => {
        await setFor('google', WEEK)
        off = ['google']
      },
    ],
    [
      'that had ended when home came back',
      async () => {
        await setFor('google', WEEK)
        later(1)
      },
    ],
  ])('%s is not told of', async (_, prepare) => {
    await prepare()
    later(WEEK - 1)
    await ending()
    expect(notices).toEqual([])
  })

  test.each([
    [
      'en',
      'google',
      /^Google ends what you allow me on Monday 7 December, 19:30\. .*`pfar connect google`[\s\S]*Publish app/,
    ],
    [
      'de',
      'google',
      /^Was du mir erlaubst, beendet Google am Montag, 7\. Dezember, 19:30\. .*`pfar connect google`[\s\S]*Publish app/,
    ],
    [
      'en',
      'oura',
      /^Oura ends what you allow me on Monday 7 December, 19:30\. [^\n]*`pfar connect oura`[^\n]*$/,
    ],
  ] as const)('says when and what to do (%s, %s)', async (language, name, words) => {
    await speak(language)
    const endsAt = Date.parse('2026-12-07T18:30:00Z')
    const said = endingWords(name, { endsAt, now: endsAt - TOLD_BEFORE, timezone: 'Europe/Berlin' })
    await speak('en')
    expect(said).toMatch(words)
  })
})
