/**
 * Repairs a calendar by removing single invalid lines (RFC 5545, 3.1), so that one line does not hide all events. If an invalid
 * line determines the time of its event, the event loses its start, so that readers see that it is broken. For reading only:
 * writing it back would lose those lines. Called by ical.ts.
 */
import ICAL from 'ical.js'

/** Properties that determine when an event is, and whether it takes place. */
const DECIDES = /^(?:DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|EXRULE|RECURRENCE-ID|STATUS)(?=[;:]|$)/i
const START = /^DTSTART(?=[;:])/i
const PART = /^(BEGIN|END):\s*(\S+)\s*$/i
/** Maximum depth of nested components, such as an alarm of an event. */
const MOST_DEPTH = 5

/** `DTSTART:20220101` without `VALUE=DATE`, as some programs write whole days (RFC 5545, 3.3.5 knows no time of eight digits). */
const BARE_DAY = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?:;[^:\r\n"]*)?:(\d{8}(?:,\d{8})*)[ \t]*$/gim

export function withDateValues(text: string): string {
  return text.replace(BARE_DAY, '$1;VALUE=DATE:$2')
}

/** Null if there is no calendar, or a component does not end. Ignores text before and after a calendar. */
export function repairedCalendar(text: string): string | null {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r\n|\n|\r/)
  const kept: string[] = []
  const open: string[] = []
  let block: string[] = []
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, edge = '', name = ''] = PART.exec(line) ?? []
    if (edge.toUpperCase() === 'BEGIN') open.push(name.toUpperCase())
    const depth = open.length
    if (depth > MOST_DEPTH) return null
    if (depth === 0 && edge === '') continue
    if (edge.toUpperCase() === 'END' && open.pop() !== name.toUpperCase()) return null
    if (depth === 1) {
      if (edge !== '' || fits([line])) kept.push(line)
      continue
    }
    block.push(line)
    if (open.length > 1) continue
    kept.push(...repairedPart(block))
    block = []
  }
  return open.length === 0 && kept.length > 0 ? kept.join('\r\n') : null
}

/** Keeps a component other than an event only if it is valid as a whole: a partial time zone would mean something else. */
function repairedPart(part: readonly string[]): readonly string[] {
  if (fits(part)) return part
  if (!/^BEGIN:VEVENT$/i.test(part[0]?.trim() ?? '')) return []
  // Some programs write spaces in the lists of a rule.
  const tight = part.map((line) => (/^RRULE[;:]/i.test(line) ? line.replaceAll(' ', '') : line))
  const left = tight.filter((line) => PART.test(line) || fits([line]))
  const isDecided = tight.some((line) => !left.includes(line) && DECIDES.test(line))
  const event = isDecided ? left.filter((line) => !START.test(line)) : left
  return fits(event) ? event : ['BEGIN:VEVENT', 'END:VEVENT']
}

function fits(lines: readonly string[]): boolean {
  try {
    ICAL.parse(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'))
    return true
  } catch {
    return false
  }
}
