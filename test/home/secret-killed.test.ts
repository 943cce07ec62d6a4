/** A home that is killed while it handles a secret that was typed at the edge: nothing is lost or duplicated (E-12, L-12). */
import { expect, test } from 'vitest'
import { listOffers } from '../../sidecar/secrets/offer-service.ts'
import { openSecretFile } from '../../sidecar/secrets/secret-file.ts'
import type { FakeEdge } from './fixtures/edge.ts'
import { killableHomes } from './fixtures/killable.ts'
import { offerFor } from './fixtures/offers.ts'
import { tunnelBench } from './fixtures/tunnel-link.ts'
import { until } from './fixtures/wait.ts'

const { cleanups, edgeFor, folder } = tunnelBench()
const spawnHome = killableHomes({ cleanups, folder })

/** Milliseconds for a process to start on a busy machine. */
const START = 60_000

const waiting = (): readonly string[] => {
  const file = openSecretFile(folder)
  if (!file.ok) throw new Error(file.reason.code)
  const names = listOffers(file.value.offers).map(({ name }) => name)
  file.value.close()
  return names
}

async function sealKeyOf(edge: FakeEdge): Promise<string> {
  const found = () => edge.received.find((body) => body.type === 'seal_key')
  await until(() => found() !== undefined, START)
  const body = found()
  if (body?.type !== 'seal_key') throw new Error('no key')
  return body.key
}

test.each([
  ['before it was stored', 'hang', 'early', []],
  ['after it was stored and before the edge knew', 'hang-stored', 'late', ['late']],
] as const)(
  'home killed %s: the secret is there once when home is back',
  { timeout: 4 * START },
  async (_name, serve, name, stored) => {
    const edge = await edgeFor()
    const first = spawnHome(edge, serve, `${name}-first`)
    const offer = await offerFor(await sealKeyOf(edge), 'a value', { id: name, name, at: Date.now() })
    edge.send({ type: 'secret', offer })
    await until(() => first.runs().includes(name), START)
    await first.kill()
    expect(waiting().filter((one) => one === name)).toEqual(stored)

    const second = spawnHome(edge, 'answer', `${name}-second`)
    await until(() => second.runs().includes(name), START)
    await until(() => edge.waiting() === 0, START)
    await second.kill()
    expect(waiting().filter((one) => one === name)).toEqual([name])
  },
)
