/** Which tools a prompt describes in full, and that a search for others describes them to the next plan (I-32, O-28 – O-30). */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it, test } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { likelyTools } from '../../integrations/extractors/learned/likely-tools.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { contactActions } from '../../kernel/features/contacts/effects.ts'
import { USUAL_HOURS } from '../../kernel/features/hours/hours.ts'
import { reminderActions } from '../../kernel/features/reminders/effects.ts'
import type { ToolCard } from '../../kernel/prompt/parts.ts'
import { MOST_FOR_REQUEST, shownTools } from '../../kernel/prompt/shown-tools.ts'
import { foundTools } from '../../kernel/prompt/tool-ranking.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { brainWorld } from '../pipeline/brain.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { scriptedModel, type World } from '../pipeline/world.ts'

const cardOf = ({ id, description, semantics, core, terms, finds, args }: ActionManifest): ToolCard => ({
  ...{ id, description, semantics, gives: '' },
  args: Object.fromEntries(
    Object.entries(args.fields).map(([name, { kind, optional }]) => [optional ? `${name}?` : name, kind]),
  ),
  ...(core && { core }),
  ...(terms && { terms }),
  ...(finds && { finds }),
})
/** Every real action, and as many of services that do not exist as make eighty. */
const REAL: readonly ToolCard[] = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(cardOf))
/** What the owner's own template offers, and nothing else. */
const OWN: readonly ToolCard[] = [...REAL, ...reminderActions('sink:memory:owner').map(cardOf)].filter(
  ({ id }) => id !== 'reminder.which',
)
/** With the contacts that home keeps. */
const HOME: readonly ToolCard[] = [...OWN, ...contactActions('sink:memory:owner').map(cardOf)]
const SERVICES = {
  lamps: ['turn the lamps on or off', 'dim the light in a room', 'the colour of a lamp'],
  parcels: ['where a parcel is', 'announce a parcel', 'send a parcel back'],
  books: ['find a book in the library', 'borrow a book', 'give a book back'],
  music: ['play a song or an album', 'stop the music', 'make a playlist'],
  money: ['the balance of an account', 'transfers of a month', 'pay an invoice'],
  trains: ['connections between two stations', 'delays of a train', 'reserve a seat'],
  recipes: ['find a recipe', 'ingredients for a dish', 'plan the meals of a week'],
  photos: ['find a photo', 'make an album of photos', 'share a photo'],
  car: ['how far the battery reaches', 'lock the doors of the car', 'where the car is parked'],
  garden: ['water the beds', 'how wet the soil is', 'when the lawn was mowed'],
  heating: ['the temperature of a room', 'warm a room up', 'lower the radiator at night'],
  sport: ['results of a match', 'the table of the league', 'when the team plays'],
  notes: ['find a note', 'write a note', 'append to a note'],
  issues: ['tickets assigned to me', 'open a ticket', 'close a ticket'],
  code: ['pull requests that await a review', 'the build of a branch', 'merge a pull request'],
  news: ['headlines of a newspaper', 'articles about a topic', 'follow a topic'],
  health: ['steps of a day', 'sleep of last night', 'the heart rate while running'],
  school: ['homework of the children', 'timetable of a class', 'report a child sick'],
  rides: ['call a taxi', 'what a ride costs', 'cancel a ride'],
} as const
const MANY: readonly ToolCard[] = [
  ...REAL,
  ...Object.entries(SERVICES).flatMap(([service, texts]) =>
    texts.map((description, at): ToolCard => {
      return { id: `${service}.${'abc'[at] ?? ''}`, description, semantics: 'read', args: {}, gives: '' }
    }),
  ),
]

/** Often wanted: described where the words of the request leave room. */
const ROOM = REAL.flatMap(({ id, core }) => (core === 'room' ? [id] : []))

/** What a request needs beside what is always shown. */
const REQUESTS: readonly (readonly [string, string])[] = [
  ['switch off the lamps in the kitchen', 'lamps.a'],
  ['dim the bedroom light a little', 'lamps.b'],
  ['where is my parcel', 'parcels.a'],
  ['can you look for a book about bees in the library', 'books.a'],
  ['give the book back', 'books.c'],
  ['play the album Blue', 'music.a'],
  ['stop the music please', 'music.b'],
  ['what is the balance of my account', 'money.a'],
  ['pay the invoice from the plumber', 'money.c'],
  ['connections from Bonn to Ulm tomorrow', 'trains.a'],
  ['is my train delayed', 'trains.b'],
  ['reserve me a seat by the window', 'trains.c'],
  ['find a recipe with leeks', 'recipes.a'],
  ['which ingredients do I need for that dish', 'recipes.b'],
  ['share the photo with Tom', 'photos.c'],
  ['did I lock the car', 'car.b'],
  ['where did I park', 'car.c'],
  ['water the tomato beds', 'garden.a'],
  ['how wet is the soil', 'garden.b'],
  ['warm up the bathroom', 'heating.b'],
  ['result of the match last night', 'sport.a'],
  ['when does the team play next', 'sport.c'],
  ['append milk to my shopping note', 'notes.c'],
  ['open a ticket about the printer', 'issues.b'],
  ['which tickets are assigned to me', 'issues.a'],
  ['any pull requests that await my review', 'code.a'],
  ['is the build of the main branch green', 'code.b'],
  ['articles about heat pumps', 'news.b'],
  ['how many steps did I take', 'health.a'],
  ['how did I sleep last night', 'health.b'],
  ['what homework do the children have', 'school.a'],
  ['report Mia sick at school', 'school.c'],
  ['call me a taxi', 'rides.a'],
  ['cancel the ride', 'rides.c'],
  ['archive the newsletters', 'email.archive'],
  ['forward the invoice to my accountant', 'email.forward'],
  ['send a mail to Sarah that I am late', 'email.send'],
  ['draft an answer to Tom', 'email.draft'],
  ['put that one in the trash', 'email.delete'],
  ['mark them as read', 'email.mark'],
  ['move the receipts to the folder Taxes', 'email.file'],
  ['which mail folders are there', 'email.folders'],
  ['I would like a new label for travel in my mail', 'email.make_folder'],
  ['that is spam', 'email.spam'],
  ['how many unread mails do I have', 'email.count'],
  ['cancel the dentist on Tuesday', 'calendar.delete_event'],
  ['push the meeting with Tom back an hour', 'calendar.update_event'],
  ['which calendars do I have', 'calendar.list_calendars'],
  ['will it rain in Lisbon', 'weather.forecast'],
  ['read https://example.com and tell me what it says', 'web.read'],
  ['wird es morgen in Bonn regnen', 'weather.forecast'],
  ['wie ist das Wetter in Ulm', 'weather.forecast'],
  ['make me a playlist for the drive', 'music.c'],
  ['plan the meals of next week', 'recipes.c'],
  ['make an album of the holiday photos', 'photos.b'],
  ['lower the radiator at night', 'heating.c'],
  ['close the ticket about the printer', 'issues.c'],
  ['merge the pull request about fonts', 'code.c'],
  ['follow the topic heat pumps', 'news.c'],
  ['what does a ride to the airport cost', 'rides.b'],
]

const shownFor = (request: string, used: readonly string[] = []): readonly string[] => {
  const metadata = used.map((action, at) => ({ root: `w${at + 1}`, action, fields: {} }))
  return shownTools(MANY, { request, metadata }).flatMap(({ id, shown }) => (shown === 'now' ? [id] : []))
}

/** With what the trained reading of home takes the words for. */
const readAs = (cards: readonly ToolCard[], request: string): readonly ToolCard[] => {
  const ids = likelyTools(request, {
    now: Date.parse('2026-11-20T11:00:00Z'),
    zone: createZone('Europe/Madrid'),
  })
  return cards.map((card) => (ids.includes(card.id) ? { ...card, likely: ids.indexOf(card.id) } : card))
}

describe('of eighty tools', () => {
  it('the right one is described, among no more than six', () => {
    expect(MANY.length).toBeGreaterThanOrEqual(80)
    expect(REQUESTS.length).toBe(60)
    const isCore = (id: string) => MANY.some((card) => card.id === id && card.core === true)
    const missed = REQUESTS.filter(([words, id]) => !isCore(id) && !shownFor(words).includes(id))
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(2)
    for (const [words] of REQUESTS) expect(shownFor(words).length).toBeLessThanOrEqual(MOST_FOR_REQUEST)
  })

  test.each([
    ['and the other one too', ['email.list'], /^email\./],
    ['yes, that too', ['calendar.list_events'], /^calendar\./],
  ])('“%s” keeps the tools of what is talked about', (words, used, family) => {
    const ofFamily = (of: readonly string[]) => of.filter((id) => family.test(id) && !ROOM.includes(id))
    expect(ofFamily(shownFor(words))).toEqual([])
    expect(ofFamily(shownFor(words, used))).not.toEqual([])
  })

  test.each(['just bin it', 'chuck it', 'weg damit', 'jette-la', 'bin them, please'])(
    '“%s” finds what can be done with the mails that were shown last',
    (words) => {
      const filing = ['email.archive', 'email.delete', 'email.spam']
      expect(shownFor(words, ['email.list', 'calendar.list_events'])).toEqual(expect.arrayContaining(filing))
      expect(shownFor(words)).not.toEqual(expect.arrayContaining(filing))
    },
  )

  test.each([
    ["this friday's offsite planning should be called Offsite dry run", 'calendar.update_event'],
    ['budget review tomorrow -> 16:45', 'calendar.update_event'],
    ['repousse la balade de ce soir avec mira d’une heure stp', 'calendar.update_event'],
    ['the thing with the Smiths is off', 'calendar.delete_event'],
    ['shoot sarah a quick mail that both numbers are fine', 'email.send'],
  ])('“%s” finds %s by how it reads, whatever the words', (request, id) => {
    const shown = shownTools(readAs(MANY, request), { request, metadata: [] })
    expect(shown.flatMap((card) => (card.shown === 'named' ? [] : [card.id]))).toContain(id)
  })

  test.each([
    ['I never read the lighthouse letter. Get me off that list and put the issue away.', 'email.archive'],
    ['I never read the lighthouse letter. Get me off that list and put the issue away.', 'email.leaving'],
    ['put those two away', 'email.archive'],
    ['räum die Mail bitte weg', 'email.archive'],
    ['get me off that mailing list', 'email.leaving'],
    ['stop these letters coming', 'email.leaving'],
    ['trag mich aus dem Verteiler aus', 'email.leaving'],
    ['Brot hab ich schon', 'task.done'],
    ['I bought the filters', 'task.done'],
    ['tick the filters off', 'task.done'],
    ['so what’s left?', 'task.list'],
    ['was fehlt noch?', 'task.list'],
    ['make that 4 instead', 'reminder.change'],
    ['doch lieber um 16 Uhr', 'reminder.change'],
    ['actually cancel that reminder', 'reminder.cancel'],
    ['ach, vergiss es, ich hab’s schon erledigt', 'reminder.cancel'],
    ['make that 9, and weekends too', 'reminder.change'],
    ['Lösch die Erinnerung an die Bank wieder', 'reminder.cancel'],
    ['which reminders do I have this week', 'reminder.list'],
  ])('“%s” finds %s', (request, id) => {
    const cards = shownTools(OWN, { request, metadata: [] })
    expect(cards.flatMap((card) => (card.shown === 'now' ? [card.id] : []))).toContain(id)
  })

  it.each([
    ['which people wrote to me yet', 'contact.new', 'contact.add'],
    ['people I have not met yet', 'contact.new', 'contact.add'],
    ['get me off that mailing list', 'email.unsubscribe', 'email.leaving'],
    ['forward it later', 'email.forward_later', 'email.forward'],
  ])('“%s” has %s never without %s, which its description names', (request, id, other) => {
    const shown = shownTools(HOME, { request, metadata: [] }).flatMap((card) =>
      card.shown === 'now' ? [card.id] : [],
    )
    expect(shown.includes(id) && !shown.includes(other)).toBe(false)
  })

  it('another address for somebody finds the contacts', () => {
    const own = /^(?:email|calendar|contact|addressbook|memory|reminder|task|web|search|weather)\./
    const cards = HOME.map((card) => (own.test(card.id) ? card : { ...card, unconnected: true as const }))
    const shown = shownTools(cards, { request: 'his new address is tom@x.example', metadata: [] })
    expect(shown.flatMap((card) => (card.shown === 'now' ? [card.id] : []))).toContain('contact.add')
  })

  it('what is not connected is described only by its name', () => {
    const cards = MANY.map((card) =>
      card.id.startsWith('github.') ? { ...card, unconnected: true as const } : card,
    )
    const shown = (request: string) =>
      shownTools(cards, { request, metadata: [] }).filter(
        ({ id, shown }) => id.startsWith('github.') && shown === 'now',
      )
    expect(shown('show me the pull requests that await a review')).toEqual([])
    expect(shown('show me the pull requests on github that await a review')).not.toEqual([])
  })

  it('a search finds them by words and by name', () => {
    expect(foundTools(MANY, 'taxi')).toEqual(['rides.a'])
    expect(foundTools(MANY, 'email archive')[0]).toBe('email.archive')
    expect(foundTools(MANY, 'xyzzy')).toEqual([])
    expect(foundTools(MANY, 'the tool rides.b')[0]).toBe('rides.b')
    expect(foundTools(MANY, 'email archive or rides.b')[0]).toBe('rides.b')
  })
})

describe('a description', () => {
  const textOf = (of: string) => HOME.find(({ id }) => id === of)?.description ?? ''

  it('says which hours are those of work, as they are where none are set', () => {
    expect(textOf('calendar.find_times')).toContain(`${USUAL_HOURS.from / 60} to ${USUAL_HOURS.to / 60}`)
  })

  it('says what is done about guests where nothing is said of them', () => {
    const telling = HOME.filter(({ args, semantics }) => 'tell?' in args && semantics === 'write')
    expect(telling.map(({ id }) => id)).toEqual(expect.arrayContaining(['calendar.update_event']))
    for (const { id } of telling) expect(textOf(id)).toContain('else silent')
  })

  it('says how several words of a search are joined', () => {
    expect(textOf('email.search')).toMatch(/all words .*, else most/)
  })
})

it('few tools are all described, and a search is not offered', () => {
  const few = MANY.slice(0, 9)
  expect(shownTools(few, { request: 'hello', metadata: [] })).toEqual(few)
})

describe('in a conversation', () => {
  const SEARCH = JSON.stringify({
    steps: [{ id: 's1', do: 'tool', tool: 'tools.search', args: [{ name: 'words', value: 'snooze' }] }],
    again: true,
  })

  const searching = async (): Promise<World> => {
    let asked = 0
    const model = scriptedModel('local', () => {
      asked += 1
      return asked === 1 ? SEARCH : '{"steps":[]}'
    })
    const world = await brainWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [model] })
    await world.say('please juggle three balls, otherwise as usual')
    return world
  }

  it('what a search finds is described to the next plan, and only what the template has', async () => {
    const { prompts } = await searching()
    const [before, after] = prompts.filter(({ parts }) => parts.purpose === 'plan')
    expect(before?.system).toMatch(/\[more tools\][^[]*reminder: about, cancel, change, later, list/)
    expect(before?.user).not.toContain('reminder.later(')
    expect(after?.user).toContain('[tools for this]\nwrites: reminder.later(due: date)')
    expect(after?.system).toBe(before?.system)
  })

  it('a prompt with eighty tools stays within its bound', async () => {
    const many: ToolManifest = {
      ...{ name: 'many', version: '1', ownerOnly: true, places: ['home'], network: [], credential: null },
      actions: Object.entries(SERVICES).flatMap(([service, texts]) =>
        texts.map((description, at) => ({
          ...({
            id: `${service}.${'abc'[at] ?? ''}`,
            description,
            semantics: 'read',
            ceiling: 'public',
          } as const),
          ...({ compartment: null, reaches: 'sensitive', sink: null, capability: 'mail:read' } as const),
          args: { kind: 'record', fields: { words: { kind: 'text', max: 80 } } } as const,
          output: { kind: 'record', fields: { text: { kind: 'text', max: 80 } } } as const,
        })),
      ),
    }
    const models = [scriptedModel('local', () => '{"steps":[]}')]
    const ran = many.actions.map(({ id }) => [id, () => ({ ok: true as const, output: { text: '' } })])
    const tools = { ...mailTools(), ...calendarTools(), ...Object.fromEntries(ran) }
    const world = await brainWorld({ tools, models, manifests: [many] })
    await world.say('please water the beds and juggle')
    const { system, user, parts } = world.prompts.filter((each) => each.parts.purpose === 'plan').at(-1) ?? {
      ...{ system: '', user: '', parts: null },
    }
    expect(parts?.tools.length).toBeGreaterThanOrEqual(70)
    expect(user).toContain('garden.a(words)')
    expect(encode(system).length + encode(user).length).toBeLessThanOrEqual(2_000)
  })
})
