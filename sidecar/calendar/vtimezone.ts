/**
 * Makes the time zone description that accompanies a recurring event (RFC 5545, 3.6.5) from Node's zone data, starting in the
 * year before the first time: by a yearly rule if the offset changes by one, otherwise change by change. Must not know an event.
 * Called by ical-write.ts.
 */
import ICAL from 'ical.js'
import { createZone, DAY, MINUTE, type Zone } from '../../integrations/dates/zone.ts'

/** Years that are examined for a rule; a zone without one is described for the longest possible series. */
const YEARS = { rule: 4, changes: 11 } as const
const WEEK = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

interface Change {
  /** Local time just before the change, as if it were UTC. */
  readonly wall: number
  /** Offset before and after, milliseconds east of UTC. */
  readonly before: number
  readonly after: number
}

/** `from`: epoch milliseconds of the first time. */
export function zoneComponent(timezone: string, from: number): ICAL.Component {
  const zone = createZone(timezone)
  const year = new Date(from).getUTCFullYear() - 1
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', timezone)
  const all = changesIn(zone, year, YEARS.changes)
  const kept = all.length === 0 ? [steady(zone, year)] : (ruled(all, year) ?? all.map(once))
  // The offset that applies before the first change.
  const [first] = all
  const start =
    first === undefined ? [] : [observance({ ...first, wall: yearWall(year - 1), after: first.before })]
  for (const one of [...start, ...kept]) component.addSubcomponent(one)
  return component
}

function yearWall(year: number): number {
  return Date.UTC(year, 0, 1)
}

function steady(zone: Zone, year: number): ICAL.Component {
  const offset = offsetAt(zone, yearWall(year))
  return observance({ wall: yearWall(year), before: offset, after: offset })
}

function offsetAt(zone: Zone, at: number): number {
  return zone.wallOf(at) - at
}

/** Searches day by day, and within a day with a change to the minute. */
function changesIn(zone: Zone, year: number, years: number): readonly Change[] {
  const found: Change[] = []
  for (let at = yearWall(year); at < yearWall(year + years); at += DAY) {
    const [before, after] = [offsetAt(zone, at), offsetAt(zone, at + DAY)]
    if (before === after) continue
    let [low, high] = [at, at + DAY]
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE
      if (offsetAt(zone, middle) === before) low = middle
      else high = middle
    }
    found.push({ wall: high + before, before, after })
  }
  return found
}

/** The two changes of each year as two yearly rules; null if they follow none. */
function ruled(all: readonly Change[], year: number): readonly ICAL.Component[] | null {
  const rules = [0, 1].map((which) => {
    const same = Array.from({ length: YEARS.rule }, (_, n) => ofYear(all, year + n)[which])
    const isTwice = Array.from({ length: YEARS.rule }, (_, n) => ofYear(all, year + n).length === 2).every(
      Boolean,
    )
    const known = same.flatMap((one) => (one === undefined ? [] : [one]))
    const [first] = known
    const rule = isTwice ? yearlyRule(known) : null
    return first === undefined || rule === null ? null : observance(first, rule)
  })
  const whole = rules.flatMap((one) => (one === null ? [] : [one]))
  return whole.length === rules.length ? whole : null
}

function ofYear(all: readonly Change[], year: number): readonly Change[] {
  return all.filter(({ wall }) => new Date(wall).getUTCFullYear() === year)
}

/** `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU`, if all changes are on that day of the year at the same time. */
function yearlyRule(all: readonly Change[]): string | null {
  const [first] = all
  if (first === undefined) return null
  const at = new Date(first.wall)
  const isSame = all.every(
    ({ wall, before, after }) =>
      wall % DAY === first.wall % DAY &&
      before === first.before &&
      after === first.after &&
      new Date(wall).getUTCDay() === at.getUTCDay() &&
      new Date(wall).getUTCMonth() === at.getUTCMonth(),
  )
  if (!isSame) return null
  const isLast = all.every(({ wall }) => new Date(wall + 7 * DAY).getUTCMonth() !== at.getUTCMonth())
  const nth = Math.ceil(at.getUTCDate() / 7)
  const isNth = all.every(({ wall }) => Math.ceil(new Date(wall).getUTCDate() / 7) === nth)
  if (!isLast && !isNth) return null
  return `FREQ=YEARLY;BYMONTH=${at.getUTCMonth() + 1};BYDAY=${isLast ? -1 : nth}${WEEK[at.getUTCDay()]}`
}

function once(change: Change): ICAL.Component {
  return observance(change)
}

function observance({ wall, before, after }: Change, rule: string | null = null): ICAL.Component {
  const component = new ICAL.Component(after > before ? 'daylight' : 'standard')
  const at = new Date(wall)
  component.addPropertyWithValue(
    'dtstart',
    ICAL.Time.fromData({
      ...{ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() },
      ...{ hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: 0 },
    }),
  )
  component.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(before / 1_000))
  component.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(after / 1_000))
  if (rule !== null) component.addPropertyWithValue('rrule', ICAL.Recur.fromString(rule))
  return component
}
