/**
 * Parts of a month, such as "the first half of December", as days. Pure; must not know words of a language. Called by the
 * grammars.
 */
import { type Days, dateOf, dayNumber, monthDays, upcoming } from './civil.ts'

/** `start`, `middle` and `end` have ten days each. */
export type PartOfMonth =
  | 'start'
  | 'middle'
  | 'end'
  | { readonly half: 1 | 2 }
  /** 0 is the last week. A week has seven days, counted from the first of the month. */
  | { readonly week: number }
  | { readonly weekday: number; readonly nth: number }
  /** Counted by its Saturday. */
  | { readonly weekend: number }

/** A month by its number, 1 to 12, or relative to the current one. */
export type OfMonth = { readonly number: number } | { readonly shift: number }

/**
 * The next occurrence that is not over. For a relative month it is in that month, except that "the first Monday" may be in the
 * next month. Null for a fifth Monday that the month lacks.
 */
export function partOfMonth(today: number, of: OfMonth, part: PartOfMonth): Days | null {
  const { year, month } = dateOf(today)
  if ('shift' in of) {
    const found = partIn(monthDays(year, month + of.shift), part)
    const isOver = typeof part === 'object' && 'weekday' in part && found !== null && found.last < today
    return isOver ? partIn(monthDays(year, month + of.shift + 1), part) : found
  }
  const found = partIn(monthDays(year, of.number), part)
  return found !== null && found.last >= today ? found : partIn(monthDays(year + 1, of.number), part)
}

const SATURDAY = 6

function partIn({ first, last }: Days, part: PartOfMonth): Days | null {
  if (part === 'start') return { first, last: first + 9 }
  if (part === 'middle') return { first: first + 10, last: first + 19 }
  if (part === 'end') return { first: first + 20, last }
  if ('half' in part) return part.half === 1 ? { first, last: first + 14 } : { first: first + 15, last }
  if ('week' in part) {
    if (part.week === 0) return { first: last - 6, last }
    const from = first + (part.week - 1) * 7
    return { first: from, last: Math.min(from + 6, last) }
  }
  if ('weekend' in part) {
    const saturday = partIn({ first, last }, { weekday: SATURDAY, nth: part.weekend })
    return saturday === null ? null : { first: saturday.first, last: saturday.first + 1 }
  }
  const earliest = upcoming(first - 1, part.weekday)
  const day = part.nth === 0 ? upcoming(last - 7, part.weekday) : earliest + (part.nth - 1) * 7
  return day > last ? null : { first: day, last: day }
}

/** From today to the last day of the month. */
export function untilMonthEnd(today: number): Days {
  const { year, month } = dateOf(today)
  return { first: today, last: dayNumber(year, month + 1, 0) }
}
