/** Decisions and their reasons: the shapes, the closed code list, and a check that throws denies. */
import { describe, expect, it } from 'vitest'
import { deny, denyOnThrow, err, ok, permit } from '../../kernel/flow/verdict.ts'

describe('verdicts and results', () => {
  it('say what they decided and why', () => {
    expect(permit('clearance')).toEqual({ allow: true, by: 'clearance' })
    expect(deny('ceiling_exceeded')).toEqual({ allow: false, code: 'ceiling_exceeded', facts: {} })
    expect(deny('ceiling_exceeded', { origin: 'tool:x' }).allow).toBe(false)
    expect(deny('ceiling_exceeded', { origin: 'tool:x' })).toMatchObject({ facts: { origin: 'tool:x' } })
    expect(ok(3)).toEqual({ ok: true, value: 3 })
    expect(err('ceiling_exceeded')).toEqual({
      ok: false,
      reason: { code: 'ceiling_exceeded', facts: {} },
    })
    expect(err('ceiling_exceeded', { n: 1 }).reason.facts).toEqual({ n: 1 })
  })

  it('use a closed list of codes', () => {
    // @ts-expect-error a code that is not on the list does not type-check
    expect(deny('because').allow).toBe(false)
  })

  it('deny when a check throws, and drop the thrown text', () => {
    const verdict = denyOnThrow(() => {
      throw new Error('private value')
    })
    expect(verdict).toEqual({ allow: false, code: 'policy_failed', facts: {} })
    expect(denyOnThrow(() => permit('rule'))).toEqual(permit('rule'))
    expect(denyOnThrow(() => deny('ceiling_exceeded'))).toEqual(deny('ceiling_exceeded'))
  })
})
