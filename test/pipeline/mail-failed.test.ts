/** A mail that surely was not sent is told as that, with the reason; only what nobody can know is told as unknown (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld } from './world.ts'

async function heardAfter(code: ReasonCode, facts: Readonly<Record<string, string>> = {}): Promise<string> {
  const world = createWorld({
    place: 'home',
    contacts: [{ name: 'Tom Baker', email: 'tom@baker.example' }],
    tools: { 'email.send': () => ({ ok: false, reason: { code, facts } }) },
  })
  await world.say('send Tom: running late')
  await decideFirst(world, 'approve')
  return world.heard()
}

describe('of a mail that was approved', () => {
  it.each<[ReasonCode]>([
    ['mail_refused'],
    ['mailbox_full'],
    ['mail_identity_unknown'],
    ['mail_recipient_differs'],
    ['mail_cannot_send'],
    ['mail_renumbered'],
    ['mail_folder_missing'],
    ['list_not_named'],
    ['certificate_invalid'],
    ['certificate_changed'],
    ['remote_scope_missing'],
  ])('%s is told in its own words', async (code) => {
    const heard = await heardAfter(code)
    expect(heard).toContain(wordsFor(code))
    expect(heard).not.toContain(wordsFor('write_outcome_unknown'))
  })

  it('that its service is switched off by now is told as that, not as unknown', async () => {
    const heard = await heardAfter('service_off')
    expect(heard).toContain('is switched off')
    expect(heard).not.toContain(wordsFor('write_outcome_unknown'))
  })

  it.each<[ReasonCode]>([['network_failed'], ['response_timeout'], ['remote_unavailable']])(
    '%s is told as what it is where nothing was done, and else as unknown',
    async (code) => {
      expect(await heardAfter(code, { done: 'nothing' })).toContain(wordsFor(code))
      expect(await heardAfter(code)).toContain(wordsFor('write_outcome_unknown'))
    },
  )

  it('an unknown outcome stays unknown, whatever is said beside it', async () => {
    expect(await heardAfter('write_outcome_unknown', { done: 'nothing' })).toContain(
      wordsFor('write_outcome_unknown'),
    )
  })
})
