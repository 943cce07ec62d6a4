/**
 * Cost report of the models of a place for its owner: by day, purpose, model and task (P-24, B-37). Numbers, ids and
 * names, also in words and columns; must not read the content of a call. Called by own-commands.ts and by both places
 * for `pfar usage`.
 */
import { MILLIONTHS, NO_BUDGET } from '../../inference/budget.ts'
import type { AtPlace, Caps, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { localDay } from '../../wording/output.ts'
import type { Tell } from '../../wording/words.ts'
import { type PlanReport, planText } from './plan.ts'
import {
  USAGE_KEYS,
  USAGE_SPAN,
  type UsageKey,
  type UsageReport,
  type UsageStore,
  type UsageSum,
} from './port.ts'

/** Days covered by a report: default and maximum. */
export const USAGE_DAYS = Object.freeze({ usual: 7, most: USAGE_SPAN })

/** Maximum rows of one list, most expensive first; for days, as many as requested. */
const MOST_ROWS = 20

const DAY = 86_400_000

/** `plan`: that of the place's provider. */
export function usageReport(
  {
    place,
    store,
    now,
    profile,
    budget = NO_BUDGET,
  }: Clock & AtPlace & OwnerFacts & Caps & StoreOf<UsageStore>,
  days: number,
  plan: PlanReport | null = null,
): UsageReport {
  const { timezone } = profile()
  const today = localDay(now(), timezone)
  // Counted in calendar days: a day in which the clocks change has 23 or 25 hours.
  const from = new Date(Date.parse(today) - (days - 1) * DAY).toISOString().slice(0, 10)
  const sums = USAGE_KEYS.map(
    (key) => [key, store.usageBy(key, from, key === 'day' ? days : MOST_ROWS)] as const,
  )
  return {
    ...{ place, from, currency: budget.currency },
    by: Object.fromEntries(sums) as UsageReport['by'],
    today: store.spentOn({ day: today }),
    caps: { tokens: budget.tokensPerDay, cost: budget.costPerDay, task: budget.tokensPerTask },
    plan,
  }
}

/** Widths of the columns in UTF-16 units. */
const NAME_WIDTH = 26
const NUMBER_WIDTH = 10

const TITLES: readonly (readonly [UsageKey, string])[] = Object.freeze([
  ['day', 'By day'],
  ['purpose', 'By purpose'],
  ['model', 'By model'],
  ['task', 'By task'],
] as const)

const PLACES = Object.freeze({ home: 'Home', edge: 'The edge' })

/** `most`: rows of each list; a chat shows fewer than a terminal. */
export function usageText(report: UsageReport, most: number, tell: Tell): string {
  const costs = costText(report, most)
  return report.plan === null ? costs : `${costs}\n\n${planText(report.plan, tell)}`
}

function costText(report: UsageReport, most: number): string {
  const { place, from, by } = report
  const head = `${PLACES[place]}, since ${from}:`
  if (by.day.length === 0) return `${head} no model was asked that counts its tokens.${budgetLine(report)}`
  const columns = ['', 'calls', 'read', 'cached', 'written', 'cost']
  const tables = TITLES.map(([key, title]) =>
    [
      row([title, ...columns.slice(1)]),
      ...by[key].slice(0, most).map((sum) => row(cellsOf(sum, report))),
    ].join('\n'),
  )
  const notes = [unpricedLine(by.model), failedLine(by.model)].filter((line) => line !== '')
  return [head, ...tables, [...notes, budgetLine(report).trim()].join('\n')].join('\n\n').trim()
}

function row([name = '', ...cells]: readonly string[]): string {
  return `${name.slice(0, NAME_WIDTH).padEnd(NAME_WIDTH)}${cells.map((cell) => ` ${cell.padStart(NUMBER_WIDTH - 1)}`).join('')}`
}

function cellsOf(sum: UsageSum, { currency }: Pick<UsageReport, 'currency'>): readonly string[] {
  const { name, calls, input, cacheRead, output, cost, unpriced } = sum
  const price = cost === 0 && unpriced > 0 ? '?' : moneyText(cost, currency)
  return [name ?? '(no task)', ...[calls, input, cacheRead, output].map(String), price]
}

/** The amount in cents, with more digits below one cent. */
function moneyText(millionths: number, currency: string): string {
  const amount = millionths / MILLIONTHS
  return `${amount.toFixed(millionths > 0 && amount < 1 ? 4 : 2)} ${currency}`
}

function unpricedLine(models: readonly UsageSum[]): string {
  const names = models.flatMap(({ name, unpriced }) => (unpriced > 0 && name !== null ? [name] : []))
  return names.length === 0 ? '' : `Without a price: ${names.join(', ')}. Their cost is not known.`
}

function failedLine(models: readonly UsageSum[]): string {
  const failed = models.reduce((sum, each) => sum + each.failed, 0)
  return failed === 0 ? '' : `Calls that came to nothing: ${failed}.`
}

function budgetLine({ today, caps, currency }: UsageReport): string {
  const parts = [
    ...(caps.tokens === null ? [] : [`${today.tokens} of ${caps.tokens} tokens`]),
    ...(caps.cost === null
      ? []
      : [`${moneyText(today.cost, currency)} of ${moneyText(caps.cost, currency)}`]),
    ...(caps.task === null ? [] : [`${caps.task} tokens a task`]),
  ]
  return parts.length === 0 ? ' No budget is set.' : ` Budget today: ${parts.join(', ')}.`
}
