/**
 * Events and reservations that the HTML of a mail declares in JSON-LD (https://schema.org/Event, /Reservation, as
 * https://developers.google.com/gmail/markup has them). A sender may declare anything, so texts stay untrusted; what is
 * called off, or has no time with its offset, is left out. Pure, never throws. Called by the mail tool, at home.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { cleanLine, toDate } from './page-clean.ts'
import { type Item, itemsIn, PAGE_DATA, textOf, typesOf } from './page-data.ts'

export interface StatedEvent {
  readonly title: string
  /** A day of whole days, or an instant. */
  readonly from: string
  /** Null where it is not stated. */
  readonly to: string | null
  readonly place: string
}

/** UTF-16 units. */
const TEXT = Object.freeze({ title: 300, place: 300, html: 1_000_000 })
/** Events of one mail: as many as a person compares at a glance. */
const MOST_EVENTS = 8

const OPENS = /<script\b/giu
const ENDS = /<\/script/giu
const OF_DATA = /\btype\s{0,5}=\s{0,5}["']?application\/ld\+json\b/iu
/** UTF-16 units of a tag. */
const LONGEST_TAG = 1_000

/** Blocks of JSON-LD; a script ends at its first end tag (https://html.spec.whatwg.org/#script-data-state). Linear. */
export function statedBlocks(html: string): readonly string[] {
  const text = html.slice(0, TEXT.html)
  const blocks: string[] = []
  OPENS.lastIndex = 0
  for (
    let open = OPENS.exec(text);
    open !== null && blocks.length < PAGE_DATA.blocks;
    open = OPENS.exec(text)
  ) {
    const tag = text.indexOf('>', open.index)
    ENDS.lastIndex = tag
    const end = tag === -1 ? null : ENDS.exec(text)
    if (end === null) break
    if (tag - open.index <= LONGEST_TAG && OF_DATA.test(text.slice(open.index, tag)))
      blocks.push(text.slice(tag + 1, end.index))
    OPENS.lastIndex = end.index
  }
  return blocks
}

export function statedEvents(blocks: readonly string[]): readonly StatedEvent[] {
  const found = blocks.flatMap(itemsIn).flatMap((item) => eventOf(item) ?? [])
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()].slice(0, MOST_EVENTS)
}

const OFF = /(?:Cancelled|Canceled|Postponed)$/

/** Null for what is no event, or has no time. */
function eventOf(item: Item): StatedEvent | null {
  if (OFF.test(textOf(item['reservationStatus'])) || OFF.test(textOf(item['eventStatus']))) return null
  const type = typesOf(item).find(
    (one) => Object.hasOwn(KINDS, one.replace(PREFIX, '')) || /Event$/.test(one),
  )
  if (type === undefined) return null
  const read = KINDS[type.replace(PREFIX, '')] ?? ofEvent
  const { title, from, to, place } = read(item, partOf(item, 'reservationFor'))
  const [start, end] = [toDate(textOf(from)), toDate(textOf(to))]
  if (start === null) return null
  // A stay from day to day, or between two times; one of each says no length.
  const ends = end !== null && end.length === start.length && end > start ? end : null
  return {
    ...{ title: cleanLine(title, TEXT.title), from: start, to: ends },
    place: cleanLine(place, TEXT.place),
  }
}

const PREFIX = /^https?:\/\/schema\.org\//

interface Read {
  readonly title: string
  readonly from: unknown
  readonly to: unknown
  readonly place: string
}

/** A reservation, and what it is for. */
type Reader = (item: Item, of: Item) => Read

const ofEvent: Reader = (item) => ({
  title: textOf(item['name']),
  ...{ from: item['startDate'], to: item['endDate'] },
  place: placeOf(item['location']),
})

function ofTrip(at: 'Airport' | 'Station' | 'BusStop', number: string): Reader {
  return (_, trip) => {
    const [start, end] = [partOf(trip, `departure${at}`), partOf(trip, `arrival${at}`)]
    const line = [textOf(partOf(trip, 'airline')['iataCode']), textOf(trip[number])].filter(
      (one) => one !== '',
    )
    return {
      title: [
        line.join(' ') || textOf(trip['name']),
        [nameOf(start), nameOf(end)].filter((one) => one !== '').join(' – '),
      ]
        .filter((one) => one !== '')
        .join(', '),
      ...{ from: trip['departureTime'], to: trip['arrivalTime'] },
      place: placeOf(start),
    }
  }
}

function atPlace(from: string, to: string): Reader {
  return (item, of) => ({
    title: nameOf(of),
    ...{ from: item[from] ?? of[from], to: item[to] ?? of[to] },
    place: placeOf(of) || placeOf(item['pickupLocation']),
  })
}

const KINDS: Readonly<Record<string, Reader>> = {
  EventReservation: (_, of) => ofEvent(of, of),
  FlightReservation: ofTrip('Airport', 'flightNumber'),
  TrainReservation: ofTrip('Station', 'trainNumber'),
  BusReservation: ofTrip('BusStop', 'busNumber'),
  LodgingReservation: atPlace('checkinTime', 'checkoutTime'),
  FoodEstablishmentReservation: atPlace('startTime', 'endTime'),
  RentalCarReservation: atPlace('pickupTime', 'dropoffTime'),
}

function partOf(item: Item, name: string): Item {
  const value = item[name]
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isPlainRecord(first) ? first : {}
}

function nameOf(item: Item): string {
  return textOf(item['name']) || textOf(item['iataCode'])
}

const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality'] as const

/** Its name and its address, once each. */
function placeOf(value: unknown): string {
  if (!isPlainRecord(value)) return textOf(value)
  const { address } = value
  const lines = isPlainRecord(address) ? ADDRESS.map((name) => textOf(address[name])) : [textOf(address)]
  return [...new Set([nameOf(value), ...lines])].filter((one) => one !== '').join(', ')
}
