/** What is deleted of a service once its owner has said yes (L-07): everything under its names, what came of it is told, and a crash between loses nothing. */
import { beforeEach, expect, test } from 'vitest'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createRemovals, type RemovalsInput } from '../../sidecar/secrets/removals.ts'
import { createSecretService } from '../../sidecar/secrets/secret-service.ts'
import type { Note } from '../../sidecar/store/home-notes.ts'
import { type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

const SCOPE = { tools: ['probe'], actions: [], hosts: ['api.example'] }
const SINK = 'sink:terminal:owner'

let world: SecretsWorld
let noted: Note<'removing'> | null
let told: string[]
let faults: string[]
let ended: Result<true> | null

beforeEach(async () => {
  world = await secretsWorld()
  noted = null
  told = []
  faults = []
  ended = null
  for (const name of ['google', 'google-work', 'other'])
    await world.secrets.set({ name, kind: 'token', scope: SCOPE, value: 'a-value-to-delete' })
})

function removals(change: Partial<RemovalsInput> = {}) {
  const desk = createSecretService({
    ...{ secrets: world.secrets, manifests: [], custody: 'passphrase', namesOf: () => [] },
    ...{ learn: () => undefined, audit: () => undefined, now: () => world.clock.now },
    ...{ confirmKey: world.keys.ring.ownKey('confirm'), revoke: async () => ended },
  })
  return createRemovals({
    notes: {
      read: () => noted as never,
      write: (_, value) => {
        noted = value as Note<'removing'>
      },
    },
    secretService: desk,
    storedFor: (service) =>
      world.secrets.list().flatMap(({ name }) => (name.startsWith(service) ? [name] : [])),
    titleOf: () => 'Google',
    notify: (words, sink) => void told.push(`${sink} ${words}`),
    fault: (part) => void faults.push(part),
    ...change,
  })
}

async function until(done: () => boolean): Promise<void> {
  for (let at = 0; at < 100 && !done(); at += 1) await new Promise((next) => setTimeout(next, 5))
}

const left = (): readonly string[] => world.secrets.list().map(({ name }) => name)

test('every account of the service goes, and nothing of another', async () => {
  removals().remove('google', SINK)
  expect(left()).toHaveLength(3)
  await until(() => told.length > 0)
  expect(left()).toEqual(['other'])
  expect(told).toEqual([
    `${SINK} My access to Google is deleted. Nothing of it is stored any more; 'connect google' begins anew. At Google it may still stand in the list of what has access: delete it there, too.`,
  ])
  expect(noted).toEqual([])
})

test('that it ended at the service as well is said only where it did', async () => {
  ended = ok(true)
  removals().remove('google', SINK)
  await until(() => told.length > 0)
  expect(told[0]).toContain('It is ended at Google as well.')
  ended = err('network_failed')
  removals().remove('other', SINK)
  await until(() => told.length > 1)
  expect(told[1]).toContain('may still stand')
  expect(left()).toEqual([])
})

test('what a crash left is done at the next start', async () => {
  noted = [{ service: 'google', sink: SINK }]
  removals().resume()
  await until(() => told.length > 0)
  expect(left()).toEqual(['other'])
})

test('what could not be deleted is said so', async () => {
  const desk = { delete: async () => err('storage_failed') as never }
  removals({ secretService: desk }).remove('google', SINK)
  await until(() => told.length > 0)
  expect(told[0]).toContain('I could not delete my access to Google')
  expect(left()).toHaveLength(3)
})

test('a fault stops nothing that comes after it', async () => {
  let fails = true
  const storedFor = (): readonly string[] => {
    if (fails) throw new Error('a bug')
    return ['other']
  }
  const of = removals({ storedFor })
  of.remove('google', SINK)
  await until(() => faults.length > 0)
  fails = false
  of.remove('other', SINK)
  await until(() => told.length > 0)
  expect(faults).toEqual(['deleting a credential'])
  expect(left()).not.toContain('other')
})
