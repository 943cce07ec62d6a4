/** Words for others that are told about: a model that plans writes them; code, without one, gives them as a letter begins. */
import { expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

interface Read {
  readonly fields: { readonly whole: boolean }
  readonly plan: { readonly steps: readonly { readonly args: { readonly body?: string } }[] }
}

it.each([
  ['Reply to Sarah that both numbers are fine.', 'Both numbers are fine.', false],
  ["let tom@x.example know that i'm late", "I'm late", false],
  ['draft a reply to Sarah that i will come', 'I will come', false],
  ['send a mail to tom@x.example saying running late', 'Running late', false],
  ['antworte Sarah, dass beide Zahlen stimmen', 'Beide Zahlen stimmen', false],
  ['antworte sarah dass ich am freitag dabei bin', 'Ich bin am freitag dabei', false],
  // The text itself.
  ['reply to Sarah: both numbers are fine', 'Both numbers are fine', true],
  ['mail tom@x.example: running late', 'Running late', true],
])('“%s”', (text, body, whole) => {
  const { fields, plan } = JSON.parse(plansOf([text], false)[0] ?? '') as Read
  expect(plan.steps.at(-1)?.args.body).toBe(body)
  expect(fields.whole).toBe(whole)
})
