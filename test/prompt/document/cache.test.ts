/** Built once for ten calls, never for another (P-02, P-05, P-07, X-13). */
import { describe, expect, it } from 'vitest'
import {
  buildDocument,
  type CachedRequest,
  DocumentCache,
  MAX_CACHED,
} from '../../../kernel/prompt/document/document.ts'
import { NO_FILES } from '../../../kernel/prompt/document/parse.ts'
import { request, SMALL } from './fixtures.ts'

const CANARY = 'lives at 12 Mill Lane'
const SOURCES = { bundled: SMALL, files: NO_FILES }

function spied() {
  const builds: string[] = []
  const cache = new DocumentCache(SOURCES, (sources, asked) => {
    builds.push(`${asked.role} ${asked.audience}`)
    return buildDocument(sources, asked)
  })
  return { cache, builds }
}

const asked = (changes: Partial<CachedRequest> = {}): CachedRequest => ({
  ...request(),
  principal: 'principal:owner',
  ...changes,
})

describe('a document', () => {
  it('is built once for ten calls', () => {
    const { cache, builds } = spied()
    const texts = Array.from({ length: 10 }, () => cache.get(asked()).text)
    expect(new Set(texts).size).toBe(1)
    expect(builds).toHaveLength(1)
  })

  it.each([
    ['another role', { role: 'plan' }],
    ['another audience', { audience: 'public' }],
    ['another principal', { principal: 'principal:telegram:peer:1' }],
    ['other needs', { needs: ['act', 'code'] }],
    ['another value', { variables: { RULES: 'x' } }],
    ['a value under another name', { variables: { USER_PROFILE: 'x' } }],
  ] as const)('is built again for %s', (_, changes) => {
    const { cache, builds } = spied()
    cache.get(asked())
    cache.get(asked(changes))
    expect(builds).toHaveLength(2)
  })

  it('does not depend on the order in which needs are named', () => {
    const { cache, builds } = spied()
    cache.get(asked({ needs: ['act', 'code'] }))
    cache.get(asked({ needs: ['code', 'act'] }))
    expect(builds).toHaveLength(1)
  })

  it('shows nobody the profile of the owner, in whatever order they ask', () => {
    const { cache } = spied()
    const variables = { USER_PROFILE: CANARY, RULES: CANARY }
    for (let round = 0; round < 5; round++) {
      expect(cache.get(asked({ variables })).text).toContain(CANARY)
      for (const audience of ['paired', 'public'] as const)
        for (const principal of ['principal:owner', 'principal:telegram:peer:1'])
          expect(cache.get(asked({ audience, principal, variables })).text).not.toContain(CANARY)
    }
  })

  it('is kept for so many only', () => {
    const { cache, builds } = spied()
    for (let peer = 0; peer <= MAX_CACHED; peer++)
      cache.get(asked({ principal: `principal:telegram:peer:${peer}` }))
    cache.get(asked({ principal: `principal:telegram:peer:${MAX_CACHED}` }))
    expect(builds).toHaveLength(MAX_CACHED + 1)
    cache.get(asked({ principal: 'principal:telegram:peer:0' }))
    expect(builds).toHaveLength(MAX_CACHED + 2)
  })
})

describe('a reload', () => {
  const edited = { bundled: SMALL, files: { ...NO_FILES, system: '## Personality\nDry as dust, and long.' } }

  it('with other content builds again: hash and count differ', () => {
    const { cache, builds } = spied()
    const before = cache.get(asked())
    const known = cache.reload(SOURCES).hash
    const loaded = cache.reload(edited)
    const after = cache.get(asked())
    expect(loaded.changed).toBe(true)
    expect(loaded.hash).not.toBe(known)
    expect([after.hash === before.hash, after.tokens === before.tokens]).toEqual([false, false])
    expect(builds).toHaveLength(2)
  })

  it('with the same content keeps what was built', () => {
    const { cache, builds } = spied()
    cache.get(asked())
    expect(cache.reload({ bundled: SMALL, files: { ...NO_FILES } }).changed).toBe(false)
    cache.get(asked())
    expect(builds).toHaveLength(1)
  })
})
