/**
 * The product's promise, from outside: after a full day's mixed traffic with a canary in every sensitive, regulated, open
 * and secret value, no byte that the edge wrote, saw or printed holds a private one, no request for a cloud model does, and what the
 * edge may know lies nowhere in plain (E-18, Q-03, R-02, R-06, X-03). The same day without one of the guards finds them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkerBundle } from '../kit/worker-bundle.ts'
import { type Day, type DayPlan, liveThroughADay, type Piece } from './canary-day.ts'
import { type Canary, createSearcher, WINDOW } from './canary-search.ts'
import { bundleFakes } from './chaos-edge.ts'

/** Milliseconds for one day on a busy machine. */
const PATIENCE = 300_000

let made: WorkerBundle
beforeAll(async () => {
  made = await bundleFakes({ readable: true })
}, PATIENCE)

/** `file: canary (form)`, sorted, each once. */
function hits(canaries: readonly Canary[], pieces: readonly Piece[]): readonly string[] {
  const search = createSearcher(canaries)
  const found = pieces.flatMap(({ name, bytes }) =>
    search(bytes).map(({ canary, form }) => `${name}: ${canary} (${form})`),
  )
  return [...new Set(found)].sort()
}

function dayOf(plan: () => Omit<DayPlan, 'made'>): () => Day {
  let day: Day | undefined
  beforeAll(async () => {
    day = await liveThroughADay({ made, ...plan() })
  }, PATIENCE)
  afterAll(() => day?.remove())
  return () => {
    if (day === undefined) throw new Error('the day has not been lived through')
    return day
  }
}

describe('a full day', () => {
  const day = dayOf(() => ({}))

  test('the values were there to be lost: served, shown on the private line, and asked with', () => {
    const { values, shown, requests } = day()
    const seen = [
      'm1 subject',
      'm1 name',
      'm1 body',
      'm2 body',
      'event title',
      'event location',
      'fact',
      'booking',
      'guest',
      'open fact',
    ] as const
    for (const name of seen) expect([name, shown.includes(values[name])]).toEqual([name, true])
    for (const name of ['credential', 'booking', 'own page'] as const)
      expect([name, requests.includes(values[name])]).toEqual([name, true])
    expect(requests).not.toContain(values['refused booking'])
    expect(day().label).toBe('regulated:health')
  })

  test('copies of home lie at the edge, in the files that are searched', () => {
    const { toEdge, edgeFiles } = day()
    const chunks = toEdge.flatMap(({ name, bytes }) => {
      const sent = Buffer.from(bytes)
      return name === 'request to edge' && sent.includes('PUT /copies/chunks/') ? [sent] : []
    })
    expect(chunks.length).toBeGreaterThan(3)
    const held = edgeFiles.filter(({ bytes }) =>
      chunks.some((chunk) => Buffer.from(bytes).includes(chunk.subarray(-WINDOW * 8))),
    )
    expect(held).not.toEqual([])
  })

  test('every key of home is looked for', () => {
    const names = day().privates.map(({ name }) => name)
    const kinds = ['master key', 'key of the copies', 'recovery seed', 'device key']
    const stores = ['sessions', 'memory', 'home', 'secrets'].map((store) => `data key ${store}`)
    for (const kind of [...kinds, ...stores]) expect(names.join('\n')).toContain(kind)
  })

  test('there is something to search of every kind, and the open line was used', () => {
    const { edgeFiles, homeFiles, toEdge, toHome, openAnswers, prompts, opens } = day()
    expect(edgeFiles.some(({ name }) => name.endsWith('.sqlite'))).toBe(true)
    expect(edgeFiles.some(({ name }) => name.endsWith('.sqlite-wal'))).toBe(true)
    expect(edgeFiles.some(({ name }) => name.endsWith('.log'))).toBe(true)
    expect(homeFiles.map(({ name }) => name)).toContain('home.sqlite')
    for (const pieces of [toEdge, toHome, openAnswers, prompts.edge]) expect(pieces.length).toBeGreaterThan(5)
    // What may leave does: the search is able to find it there.
    const left = hits(opens, [...prompts.edge, ...openAnswers, ...toHome]).join('\n')
    for (const name of ['open fact', 'open words', 'stranger']) expect(left).toContain(`: ${name} (raw)`)
  })

  test.each([
    ['files and logs of the edge', ({ edgeFiles }: Day) => edgeFiles],
    ['frames and requests that home sent to the edge', ({ toEdge }: Day) => toEdge],
    ['frames that the edge sent', ({ toHome }: Day) => toHome],
    ['answers on the open line and to strangers', ({ openAnswers }: Day) => openAnswers],
    ['prompts for the cloud model at the edge', ({ prompts }: Day) => prompts.edge],
    ['prompts for the cloud model at home', ({ prompts }: Day) => prompts.home],
    ['what both places printed', ({ printed }: Day) => printed],
    ['files and logs of home, but its keys', ({ homeFiles }: Day) => homeFiles],
  ])('nothing private is in: %s', (_, pieces) => {
    expect(hits(day().privates, pieces(day()))).toEqual([])
  })

  test('what the edge may know is nowhere in plain, at neither place', () => {
    const { opens, edgeFiles, homeFiles, printed } = day()
    expect(hits(opens, [...edgeFiles, ...homeFiles, ...printed])).toEqual([])
  })

  test('the keys of the edge are in no row, log, frame or prompt', () => {
    const { edgeKeys, edgeFiles, homeFiles, toEdge, toHome, prompts, printed } = day()
    expect(edgeKeys).toHaveLength(4)
    const everywhere = [edgeFiles, homeFiles, toEdge, toHome, prompts.edge, prompts.home, printed].flat()
    expect(hits(edgeKeys, everywhere)).toEqual([])
  })
})

describe('a short day without the cipher of the edge', () => {
  const day = dayOf(() => ({
    short: true,
    edge: [
      {
        find: 'encrypt((await keys()).rows, addressBytes(address), plaintext)',
        replace: 'plaintext',
      },
      {
        find: 'await decrypt((await keys()).rows, addressBytes(address), ',
        replace: '((bytes) => bytes)(',
      },
    ],
  }))

  test('finds what was said on the open line in its files', () => {
    const found = hits(day().opens, day().edgeFiles).join('\n')
    for (const name of ['open fact', 'open words', 'stranger']) expect(found).toContain(`: ${name} (`)
  })
})

/** The rows of home are sealed before its copies are: each alone would hide that the other is gone. */
describe('a short day without the ciphers of home and of its copies', () => {
  const day = dayOf(() => ({
    short: true,
    home: [
      {
        file: 'kernel/vault/key-ring.ts',
        find: 'box: sealBox(key, place, plaintext)',
        replace: 'box: plaintext',
      },
      {
        file: 'kernel/vault/key-ring.ts',
        find: 'openBox(key, recordBound(address, parts.generation), parts.box)',
        replace: 'parts.box',
      },
      {
        file: 'sidecar/copies/copy-format.ts',
        find: 'sealBox(sealing, { nonce: random(NONCE_BYTES), bound: copyBound(what) }, plain)',
        replace: 'plain',
      },
    ],
  }))

  const EVERY = ['m1 subject', 'event title', 'event location', 'fact', 'booking', 'small talk', 'credential']

  test('finds what was read, said, answered and stored in its files', () => {
    const found = hits(day().privates, day().homeFiles).join('\n')
    for (const name of EVERY) expect(found).toContain(`: ${name} (`)
  })

  test.each([
    ['files of the edge', ({ edgeFiles }: Day) => edgeFiles],
    ['requests of home', ({ toEdge }: Day) => toEdge],
  ])('and in the copies: %s', (_, pieces) => {
    const found = hits(day().privates, pieces(day())).join('\n')
    for (const name of EVERY) expect(found).toContain(`: ${name} (`)
  })
})

describe('a short day without the routing of models by label', () => {
  const day = dayOf(() => ({
    short: true,
    home: [
      {
        file: 'kernel/flow/policy.ts',
        find: "return checkClearance(model, label, 'model_not_cleared')",
        replace: 'return { allow: true }',
      },
      {
        file: 'kernel/flow/policy.ts',
        find: "if (model.locality !== 'home') {",
        replace: 'if (Number.isNaN(0)) {',
      },
      {
        file: 'kernel/inference/router.ts',
        find: "reader.locality === 'cloud' && guarded && !cloudRiskAcknowledged",
        replace: 'guarded === null',
      },
      {
        file: 'kernel/inference/router.ts',
        find: "if (reader.locality !== 'home' && isRegulated(ceiling))",
        replace: 'if (guarded === null)',
      },
    ],
  }))

  test('finds mails and the owner’s words in what left for a cloud model', () => {
    const found = hits(day().privates, day().prompts.home).join('\n')
    for (const name of ['m1 subject', 'm1 body', 'event location', 'fact', 'small talk'])
      expect(found).toContain(`: ${name} (`)
  })
})

/** The check of templates stands before the check of what leaves: each alone would hide that the other is gone. */
describe('a short day without the check of what leaves home, for an edge whose templates count as cleared', () => {
  const day = dayOf(() => ({
    short: true,
    home: [
      {
        file: 'kernel/flow/place.ts',
        find: "edge: Object.freeze({ level: 'internal', compartments: Object.freeze([]) })",
        replace: "edge: Object.freeze({ level: 'regulated', compartments: 'all' })",
      },
      {
        file: 'kernel/flow/labeled.ts',
        find: 'openIf(checkEgress(policy, { ...request, label: labeled.label }), labeled)',
        replace: 'openIf({ allow: true }, labeled)',
      },
    ],
  }))

  test('finds mails and appointments in what home sent it', () => {
    const found = hits(day().privates, day().toEdge).join('\n')
    for (const name of ['m1 subject', 'm1 body', 'event title', 'event location'])
      expect(found).toContain(`: ${name} (`)
  })
})
