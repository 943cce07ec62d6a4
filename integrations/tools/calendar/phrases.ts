/** Phrases of calendar requests, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/calendar'
import { LENGTH } from '../../dates/lengths.ts'
import { type Phrases, WHOM, words } from '../phrase.ts'
import { UNDO, UNDO_GERMAN } from '../undo-words.ts'
import { answering } from './sentences/answering.ts'
import { DROPPING, VISIT } from './sentences/dropping.ts'
import { GUESTS, SHOWN_EVENT } from './sentences/guests.ts'
import { MEETING, PROPOSED } from './sentences/meeting.ts'
import { NOTING, THING_AT } from './sentences/noting.ts'
import { RENAMING, TITLED } from './sentences/renaming.ts'
import { CHANGING_BACK, RESTORING } from './sentences/restoring.ts'
import { ENDING, LAST_DAYS, NOT_ON, ONE_OF_SERIES, SERIES, WHOLE_SERIES } from './sentences/series.ts'

/** The event that a request refers to. */
const ONE = { id: '{one.id}', calendar: '{one.calendarId}', tell: '{tell}', series: '{series}' }
/** Repetition of a new event, if any. */
const EVERY = { repeat: '{again.repeat}', every: '{again.every}' }
const AGAIN = { ...EVERY, days: '{again.days}', until: '{again.until}', except: '{again.except}' }
const SPAN = { from: '{when.from}', to: '{when.to}' }

/** The event that was booked last. */
const BOOKED = {
  of: ['calendar.create_event'],
  by: 'calendar.delete_event',
  unknown: 'nothing_booked',
} as const

export const CALENDAR_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    length: {
      pattern:
        '(?:[a-z]{1,9}|half an|[\\d.]{1,4}) ?(?:hours?|hrs?|h|minutes?|mins?|days?|weeks?)(?: and a half)?',
      example: 'half an hour',
    },
    lasting: { pattern: LENGTH, example: '45 min' },
    whom: { pattern: WHOM, example: 'Sarah' },
    thing: { pattern: PROPOSED, example: 'the second one' },
    event: { pattern: SHOWN_EVENT, example: 'it' },
    visit: { pattern: VISIT, example: 'Montage bei Müller' },
    titled: { pattern: TITLED, example: 'dentist' },
    thing_at: { pattern: THING_AT, example: 'dentist' },
    class: { pattern: ONE_OF_SERIES, example: 'yoga class' },
    recurring: { pattern: SERIES, example: 'yoga' },
  },
  lists: {
    de: { last_day: LAST_DAYS.de },
    en: {
      last_day: LAST_DAYS.en,
      calendar: words(`
        calendar / schedule / agenda / diary / appointment / appointments / meeting / meetings
        event / events / plans
      `),
      diary: ['calendar', 'agenda', 'diary', 'schedule'],
      activity: words(`
        meeting / meetup / meet-up / appointment / event / breakfast / brunch / lunch / dinner
        supper / coffee / tea / drinks / call / video call / catchup / catch-up / standup / stand-up
        sync / review / interview / workshop / class / lesson / session / dentist / doctor / gym
        workout / training / haircut / checkup / check-up / birthday / party / holiday / vacation
        day off / slot / time / hour / minute / minutes / focus time / reminder / demo
        presentation / conference / 1:1 / one-on-one / date / walk / visit
      `),
      service: words(`
        flight / flights / hotel / hotels / table / tables / taxi / taxis / cab / cabs / uber
        ubers / train / trains / ticket / tickets / room / rooms / restaurant / restaurants / car
        cars / seat / seats
      `),
      /** Verbs of changes to an event that exists already. */
      move: words(
        'move / reschedule / shift / push / postpone / prepone / delay / bring / pull / bump / change / switch',
      ),
      change: words('later / earlier / sooner / longer / shorter / instead'),
      other_list: ['(to|on|in) (my|the|our) !(<diary>) {plain 0-2} list'],
      look: words(`
        show / check / list / open / see / view / read / get / give / look at / what's / what is
        what are / tell
      `),
      own: words(`
        my / the / our / your / any / some / all / of / for / new / latest / last / recent / newest
        unread / next / first / top / through / up / out / me / me, / {number} / two / three / four
        five / six / seven / eight / nine / ten
      `),
      /** Things whose times are not in a calendar. */
      elsewhere: words(`
        expire / expires / expired / runs out / land / lands / landing / take off / takes off / shut / shuts / close
        closes / closed / open / opens / cook / boil / bake / birthday / birthdays / geburtstag / kochen / backen / garen
        schließt / schliesst / zumacht / öffnet / aufmacht / abläuft / läuft / landet / hieß / hiess / heißt
      `),
      at_what: words('when / what time / what times / what day / which day / which days / at what time'),
      am_i: ['am I', 'are we', 'do I have', 'have I got', 'will I be', 'can I', 'could I', 'would I be'],
      have_i: ['do I have', 'have I got', 'is there'],
      more: ['any', 'other', 'new', 'a', 'an', 'upcoming'],
      /** Things of which a calendar has none. */
      no_event: words(
        'reminder / reminders / erinnerung / erinnerungen / alarm / wecker / timer / task / todo / to-do',
      ),
      /** Kinds of requests that must be asked for separately. */
      many: [
        ...['everything', 'all (my|the|of|meetings|appointments|events|calls)', 'the (whole|entire)'],
        ...['series', 'altogether', 'completely', 'entirely', 'for good', 'forever', 'once and for all'],
        'every [single] (time|session|lesson|date) of',
      ],
      what_is: words(`
        what / what's / whats / what is / what do I have / what have I got / what was / what will be
        what are / anything / something / is there anything / do I have anything
        have I got anything / is anything
      `),
      going_on: ['on', 'happening', 'planned', 'scheduled', 'coming up'],
      make: words(`
        book / schedule / create / add / set up / setup / put / make / plan / arrange / organise
        organize / pencil in / block out / block off / block / enter
      `),
      lasting: words(`
        all day / all-day / whole day / day off / days off / holiday / holidays / vacation
        birthday / bday / anniversary / trip / conference / festival / off work / leave
        geburtstag / jahrestag / urlaub / ganztägig / ganztags / (den|der|einen) ganzen tag / ganzer tag
      `),
      /** Invitations have sentences of their own. */
      inviting: [
        ...['and invite', 'inviting', 'and ask', 'and bring'],
        ...[
          'as (a|another) guest',
          'to (the|our|that) {plain 1-3} (meeting|event|appointment|invite|invitation)',
        ],
      ],
      proposed: ['(the|this|that) {nth} (slot|time|option|date|one)', '(slot|time|option|number) {number}'],
      noting: ['(note|notes) (to|on|for|of|about) (my|the|our|that|this|it)', '(description|notes) of'],
      from: ['from', 'by'],
      invitation: words(`
        invitation from / invitation by / invitation to / invitation for / invite from / invite to / invite for
        invitation / invite
      `),
      behind_invitation: ['invitation', 'invite', 'meeting', 'appointment', 'event'],
      before: ['event', 'appointment for'],
      behind: [
        ...['(to|in|into|on|onto) (my|the|our) <diary>', 'in there', 'take', 'last', 'go on'],
        ...['all day', 'all-day', '(the|for the) whole day', '(the|for the) entire day'],
      ],
      behind_event: ['(from|off) (my|the|our) <diary>', 'meeting', 'appointment', 'event', 'one', 'again'],
      with: ['with'],
    },
  },
  asks: [
    {
      says: {
        en: [
          '(which|what) calendars (do I have|have I got|are there|do you see|can you see|do you read|do you know)',
          '(list|show|show me) [all] [of] my calendars',
          'my calendars',
        ],
        de: [
          '(welche|was für) kalender (habe ich|hab ich|gibt es|siehst du|liest du|kennst du)',
          '(zeig|zeige|nenn|nenne) [mir] [alle] meine kalender',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.list_calendars', args: {} }],
    },
    {
      says: {
        en: [
          UNDO,
          'undo (the|that) (booking|entry|event|appointment)',
          '(cancel|delete|remove) (it|that|that one|this) [again]',
        ],
        de: [
          UNDO_GERMAN,
          '(mach|mache|nimm) (die buchung|den eintrag|das eintragen) [bitte] [wieder] (rückgängig|zurück)',
        ],
      },
      back: BOOKED,
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.delete_event', args: { id: '{back.id}' } }],
    },
    {
      says: {
        en: [
          '(cancel|delete|remove) (it|that|that one|this) [again] and (tell|notify|inform) (them|everyone|everybody|the guests)',
        ],
        de: ['(sag|sage) (ihn|es|das|den termin) ab und (sag|sage) (ihnen|allen) bescheid'],
      },
      back: BOOKED,
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.delete_event', args: { id: '{back.id}', tell: true } }],
    },
    {
      intent: 'calendar_cancel',
      says: {
        en: [
          '(delete|remove) [my|the] {topic} + <diary> - (tick|check|cross|strike) off - <many>',
          '(cancel|call off) [my|the] {topic} + {when} - <no_event> - <many>',
          '(cancel|call off|delete|remove) [my|the] {topic} + <activity> - <no_event> - <many>',
          '(cancel|call off|delete|remove) (my|the) {topic} + <calendar> - <no_event> - <many>',
        ],
      },
      takes: {
        ...{ who: 'with', when: { days: 30 }, whenFirst: true, into: 'diary', tell: true },
        topic: { before: 'before', behind: 'behind_event' },
      },
      needs: { when: 'needs_time', what: 'needs_title' },
      plan: [
        { id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN },
        { id: 's2', do: 'select', from: 's1.events', matching: 'said.topic', take: 'one' },
        {
          ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
          args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, tell: '{tell}' },
        },
      ],
    },
    {
      intent: 'calendar_move',
      says: {
        en: [
          '<move> {any 1-8} [back|forward] (to|until|till) ... + {when}',
          'reschedule {any 1-8} for ... + {when}',
          '(make|move|push|shift|start|put|set|reschedule|delay) {any 1-8} [by] {length} (later|back)',
          '(make|move|shift|start|set|bring) {any 1-8} [by] {length} (earlier|sooner)',
          '(push|move|put|shift) {any 1-8} back {length}',
          '(delay|postpone|push) {any 1-8} (by|for) {length}',
          '(bring|move|pull) {any 1-8} (forward|up) by {length}',
          'make {any 1-8} [by] {length} (longer|shorter)',
          '(extend|lengthen|prolong|shorten) {any 1-8} by {length}',
          '(make|set) (it|that|this) ... + {when}',
          ...ENDING.en,
          '(put|set|take) (it|that|this) back (to|until|till) ... + {when}',
        ],
        de: [
          '(verschieb|verschiebe|verleg|verlege|schieb|schiebe) {any 1-8} (auf|nach) ... + {when}',
          '(verschieb|verschiebe|verleg|verlege|schieb|schiebe) {any 1-8} [um] (eine stunde|eine halbe stunde|einen tag|eine woche) (nach hinten|nach vorne|später|früher)',
          ...ENDING.de,
        ],
      },
      takes: { moves: { days: 30 }, tell: true },
      needs: { move: 'needs_new_time' },
      picks: {
        ...{ tool: 'calendar.list_events', list: 'events', unknown: 'which_event', waiting: 'event_waits' },
        talked: {
          'calendar.list_events': 'events',
          'calendar.create_event': null,
          'calendar.update_event': null,
        },
      },
      plan: [
        {
          ...{ id: 's1', for: ['time', 'half'], do: 'compute', op: 'on_day' },
          of: ['{move.time}', '{one.from}'],
        },
        { id: 's1', for: ['day'], do: 'compute', op: 'on_day', of: ['{one.from}', '{move.time}'] },
        {
          ...{ id: 's1', for: ['shift'], do: 'compute', op: 'shift', unit: 'minutes' },
          of: ['{one.from}', '{move.minutes}'],
        },
        {
          ...{ id: 's1', for: ['days'], do: 'compute', op: 'shift', unit: 'days' },
          of: ['{one.from}', '{move.days}'],
        },
        {
          ...{ id: 's1', for: ['length'], do: 'compute', op: 'shift', unit: 'minutes' },
          of: ['{one.to}', '{move.minutes}'],
        },
        {
          ...{ id: 's2', for: ['time', 'day', 'shift', 'days'], do: 'tool', tool: 'calendar.update_event' },
          args: { ...ONE, from: { $ref: 's1' } },
        },
        { id: 's2', for: ['half'], do: 'compute', op: 'near', of: [{ $ref: 's1' }, '{one.from}'] },
        {
          ...{ id: 's3', for: ['half'], do: 'tool', tool: 'calendar.update_event' },
          args: { ...ONE, from: { $ref: 's2' } },
        },
        { id: 's1', for: ['both_half'], do: 'compute', op: 'near', of: ['{move.time}', '{one.from}'] },
        {
          ...{ id: 's2', for: ['both_half'], do: 'tool', tool: 'calendar.update_event' },
          args: { ...ONE, from: { $ref: 's1' } },
        },
        {
          ...{ id: 's2', for: ['length'], do: 'tool', tool: 'calendar.update_event' },
          args: { ...ONE, to: { $ref: 's1' } },
        },
        {
          ...{ id: 's1', for: ['ends'], do: 'tool', tool: 'calendar.update_event' },
          args: { id: '{one.id}', calendar: '{one.calendarId}', tell: '{tell}', until: '{move.time}' },
        },
        {
          ...{ id: 's1', for: ['both'], do: 'tool', tool: 'calendar.update_event' },
          args: { ...ONE, from: '{move.time}' },
        },
      ],
    },
    ...MEETING,
    ...GUESTS,
    answering('calendar_accept', '(accept|confirm)', 'accepted'),
    answering('calendar_decline', '(decline|reject|turn down|refuse)', 'declined'),
    answering('calendar_maybe', '(tentatively accept|maybe accept|provisionally accept)', 'tentative'),
    {
      intent: 'calendar_free',
      varies: true,
      says: {
        en: [
          '(when|what) (is|are) (my|our|the) next free (evening|weekend|day|morning|afternoon|slot|hour|lunchtime|saturday|sunday) ...',
          '(when am I|when are we|am I) next (free|available|off) ...',
          'when are (me and|you and I|we both|me & {plain 1-1}) {any 0-3} free ...',
          '(any|is there any|is there a|are there any) (gap|gaps|slot|slots|free time|free slot) ...',
          '<at_what> <am_i> ... (free|available|time|slot|gap|opening|meet|fit) ...',
          '(am I|will I be|are we|would I be) {plain 0-2} (free|available|busy) ...',
          '<have_i> [any|some|enough] [free|spare|open] (time|slot|slots|gap|gaps) ...',
          '<have_i> [any|some|enough] [free|spare|open] (a|an) [free] (slot|gap|hour) ...',
          '(find|show|give|list|check) [me] [a|an|some|my|all|any] (free|open|available|availability|spare) ... - with {any 1-1}',
          "[what's|what is] my availability ...",
          '(is|are) [my|the] {plain 1-3} (free|open|available)',
          'free ...',
          // How another person asks for a free time of the owner. Without a time it is conversation.
          '(are you|is your owner) (free|available) + {when}',
          '(do you|does your owner) have [any] time + {when}',
          '(can|could|shall|may) we (meet|talk|speak|have (a|an|our) {plain 1-3}) + {when}',
          '(does|would|will|is) ... (suit|work for|good for|okay for|ok for) (you|your owner) + {when}',
        ],
      },
      takes: { who: 'with', when: { days: 7 }, whenFirst: true, minutes: true },
      needs: { when: 'needs_time' },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.freebusy', args: SPAN }],
    },
    // A single event that may be on any day.
    {
      intent: 'calendar_list',
      says: {
        en: [
          '(when|what time) is (my|the) [next] {topic} + (<calendar>|<activity>)',
          'how long is (my|the|our) [next] {topic} + (<calendar>|<activity>)',
          'how long (does|will) (my|the|our) [next] {topic} + (<calendar>|<activity>) - <elsewhere>',
          'where is (my|the|our) [next] {topic} + (<calendar>|<activity>)',
          "when's (my|the) [next] {topic} + (<calendar>|<activity>)",
          "where's (my|the|our) [next] {topic} + (<calendar>|<activity>)",
          "(what's|what is) [my|the] next (<calendar>|<activity>) ...",
        ],
      },
      takes: {
        ...{ who: 'with', when: { days: 30 }, whenFirst: true, into: 'diary' },
        topic: { before: 'before', behind: 'behind' },
      },
      needs: { when: 'needs_time' },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN }],
    },
    {
      intent: 'calendar_list',
      says: {
        en: [
          '<what_is> [up|else|happening|planned|scheduled|coming up] (on|in) (my|the|our) <calendar> ...',
          '<look> [me] <own>* <calendar> ...',
          '(what|which|any|do I have|have I got|how many) [<more>] [<more>] <calendar> ...',
          '<have_i> (anything|something|plans) ...',
          "(what's|what is) <going_on> ...",
          "(what's|whats) going on ... + {when}",
          '(what do I have|what have I got|what am I doing|anything on|anything planned) ...',
          '(who am I meeting|who do I meet) ...',
          '(what|how) does my {plain 1-1} look ...',
          '[my] (calendar|schedule|agenda|diary|meetings|appointments|events)',
          '[my] (calendar|schedule|agenda|diary|meetings|appointments|events) (for|on|today|tomorrow|this|next) ...',
        ],
      },
      takes: { who: 'with', when: { days: 1 }, whenFirst: true },
      needs: { when: 'needs_time' },
      plan: [{ id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN }],
    },
    {
      intent: 'calendar_book',
      says: {
        en: [
          '<make> [me|in] {topic} + calendar - <other_list> - <change> - <inviting> - <proposed> - <noting> - (it|that|this) back',
          '<make> [me|in] {topic} + (<activity>|agenda|diary) - <other_list> - <service> - <change> - <inviting> - <proposed> - <noting> - (it|that|this) back',
          '(book|schedule|pencil in|block out|block off|block) [me|in] {topic} + with {any 1-1} - <other_list> - <service> - <change> - <inviting> - <proposed> - <noting> - (it|that|this) back',
          '(book|schedule|pencil in|block out|block off|block) [me|in] {topic} + {day} - <other_list> - <service> - <change> - <inviting> - <proposed> - <noting> - (it|that|this) back',
        ],
      },
      takes: {
        ...{ who: 'with', when: { exact: 'lasting' }, whenFirst: true, minutes: true, into: 'diary' },
        topic: { before: 'before', behind: 'behind' },
      },
      needs: { when: 'needs_time', what: 'needs_title' },
      plan: [
        {
          ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
          args: { title: '{what}', ...SPAN, attendees: ['{mail}'], calendar: '{into}', ...AGAIN },
        },
      ],
    },
    RESTORING,
    ...WHOLE_SERIES,
    ...RENAMING,
    ...DROPPING,
    ...NOT_ON,
    ...NOTING,
    CHANGING_BACK,
  ],
}
