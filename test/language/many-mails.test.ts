/** Mails that are named by their words: in the plural each of them is filed in one call, in the singular the newest. Every verb with every name. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { ofMany } from '../../integrations/models/rules/plural.ts'
import type { Plan } from '../../kernel/task/plan.ts'
import { plansOf } from './plans-of.ts'

interface Step {
  readonly do: string
  readonly take?: string
  readonly matching?: string
  readonly args?: { readonly ids?: unknown }
}
const stepsOf = (text: string): readonly Step[] =>
  ofMany((JSON.parse(plansOf([text], false)[0] ?? '{}') as { readonly plan: Plan }).plan, text)
    .steps as unknown as readonly Step[]

const VERBS: readonly (readonly [string, string])[] = [
  ['mark', 'as read'],
  ['mark', 'as unread'],
  ['archive', ''],
  ['put', 'into spam'],
]
const MANY: readonly (readonly [string, string])[] = [
  ['my work mails', 'work'],
  ['the github emails', 'github'],
  ['the mails from github', 'github'],
  ['my newsletters', 'newsletters'],
]
const ONE = ['the work mail', 'the mail from github', 'the newsletter', 'the newest work mails']

describe.each(VERBS)('%s … %s', (verb, end) => {
  it.each(MANY)('%s: each of them, by the words alone', (what, words) => {
    const steps = stepsOf(`${verb} ${what} ${end}`.trim())
    if (steps.length === 0) return
    expect(steps.map((step) => step.do)).toEqual(['tool', 'select', 'tool'])
    expect(steps[1]).toMatchObject({ take: 'all', matching: words })
    expect(steps[2]?.args?.ids).toEqual({ $ref: 's2.id' })
  })

  it.each(ONE)('%s: never each of them', (what) => {
    expect(stepsOf(`${verb} ${what} ${end}`.trim()).filter(({ take }) => take === 'all')).toEqual([])
  })
})

it.each([
  'mark my work mails as read',
  'archive my work mails',
  'put the github mails into spam',
  'delete the newsletters',
])('"%s" is planned', (text) => {
  expect(stepsOf(text)[1]).toMatchObject({ take: 'all' })
})

it('is a rule of home, where the mail is', () => {
  const text = 'archive my work mails'
  const { plan } = JSON.parse(plansOf([text], false)[0] ?? '{}') as { readonly plan: Plan }
  expect(HOME_RULES.many(plan, text)).toEqual(ofMany(plan, text))
  expect(HOME_RULES.many(plan, text)).not.toEqual(plan)
})
