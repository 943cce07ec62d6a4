/** Sentences of what no tool does: the conversation, memory, and what PFAR cannot do. Data only. Called by classes.ts. */

import type { Phrase } from '../../tools/phrase.ts'
import { type Phrases, words } from '../../tools/phrase.ts'

function ask(
  intent: NonNullable<Phrase['intent']>,
  en: readonly string[],
  de: readonly string[] = [],
): Phrase {
  return { intent, says: { en, de }, plan: [] }
}

export const OWN_PHRASES: Phrases = {
  lists: {
    en: {
      mind: words(
        'remember / note / note down / write down / jot down / save / store / memorise / memorize / keep in mind / make a note / take a note',
      ),
    },
  },
  asks: [
    ask(
      'memory_save',
      [
        '<mind> [this|that] {topic}',
        '(dont|do not) forget [that] {topic}',
        '(just so you know|for your information|fyi|for the record|for later|note to self|be aware) [that] {topic}',
        '(keep|save|store) (this|the fact) [that] {topic}',
      ],
      [
        '(merk|merke) dir [bitte] [dass] {topic}',
        'notiere [dir] [bitte] [dass] {topic}',
        'vergiss nicht [dass] {topic}',
      ],
    ),
    ask(
      'memory_search',
      [
        'what (do|did) you (know|remember|recall) about {topic}',
        '(what is|whats|what was|tell me) my {topic}',
        '(what is|whats|what was) my {topic} (again|called)',
        '(where is|wheres|where are|where did i put) (my|the) {topic}',
        '(which|what) {topic} do i (have|use|like|need|take)',
        '(what does|what do) {topic} (like|want|need|drink|eat)',
        '(do|did) you (know|remember|recall) [about] {topic}',
        'what (did|have) i (tell|told|say|said) [to] you about {topic}',
        '(search|look in|look through|check) (your|my) (memory|notes) for {topic}',
        'tell me what you (know|remember) about {topic}',
        '(everything|all) you (know|remember) about {topic}',
        'what have you (got|noted|saved|stored) (on|about) {topic}',
        'what (was|is) it i (told|said) [to] you about {topic}',
      ],
      ['was (weißt|weisst) du (über|von) {topic}', '(erinnerst|weißt) du dich [noch] an {topic}'],
    ),
    ask(
      'greeting',
      [
        ...[
          'hi',
          'hello',
          'hey',
          'good morning',
          'good evening',
          'good afternoon',
          'hey there',
          'hi there',
          'hello there',
        ],
        ...['hi again', 'hello again', 'good day', 'morning'],
      ],
      ['hallo', 'guten morgen', 'guten tag', 'guten abend', 'servus', 'moin', 'hi du'],
    ),
    ask(
      'chat',
      [
        ...[
          'thanks',
          'thank you',
          'thanks a lot',
          'many thanks',
          'thx',
          'cheers',
          'thank you so much',
          'great thanks',
        ],
        ...[
          'ok',
          'okay',
          'alright',
          'great',
          'perfect',
          'nice',
          'cool',
          'good job',
          'well done',
          'bye',
          'good bye',
          'see you',
        ],
        ...[
          'good night',
          'see you later',
          'bye [for] (now|today)',
          'thats (all|it|great|fine|good)',
          'that was (helpful|all)',
        ],
        ...[
          '(thanks|thank you) that (helped|was helpful|is great)',
          'nice (work|job|one)',
          '(cool|great|ok|okay) (thanks|great|cool)',
          'never mind',
        ],
      ],
      [
        'danke',
        'danke schön',
        'vielen dank',
        'danke dir',
        'super danke',
        'tschüss',
        'gute nacht',
        'bis später',
        'alles klar',
        'gut',
      ],
    ),
    ask(
      'help',
      [
        ...[
          'help',
          'help me',
          'what can you do',
          'what can you do for me',
          'what can i ask [you]',
          'what can i say',
        ],
        ...[
          'how (do|can) i use (this|you)',
          'how does this work',
          'what are you able to do',
          'what are my options',
          'show [me] [the] (commands|options|help)',
        ],
        ...[
          'what are you good at',
          'how can you help [me]',
          'i need help',
          'what do you do',
          '(options|commands|menu)',
        ],
      ],
      ['hilfe', 'was kannst du', 'was kannst du [alles] (machen|tun)', 'wie funktioniert das'],
    ),
    ask(
      'recent',
      [
        ...[
          'what were we talking about',
          'what did we talk about',
          'what did i [just] (ask|say|tell) [you]',
          'where were we',
        ],
        ...['what was i (saying|asking)', 'what was our last (chat|conversation)'],
      ],
      ['worüber haben wir gesprochen', 'wo waren wir'],
    ),
  ],
}

/** By what is asked for; the words follow "I cannot". `nothing`: no request at all. */
export const LACKING: Readonly<Record<string, readonly string[]>> = {
  'book flights, hotels, tables or tickets': [
    '(book|get|find|reserve|order|buy) [me] (a|the|some) (flight|hotel|hotel room|ticket|tickets|train|taxi|cab|uber|rental car|seat) [to|in|for|at] {x}',
    '(book|reserve|get) [me|us] a table [for|at] {x}',
    '(book|reserve) [me|us] a (table|room) for (two|four|{number}) [on|at] {when}',
    '(order|get|call) [me] (a|an) (pizza|taxi|cab|uber|burger|coffee)',
    '(order|buy) [me] {x}',
    'buy [me] [some|a|the] {x} [for|on] {x}',
    'book [me] a (flight|hotel|taxi|trip) [to|in] {x} {when}',
    '(bestell|bestelle|kauf|kaufe) [mir] [eine|ein|einen] {x}',
    '(buche|reserviere) [mir] [einen] (flug|hotel|tisch|zug) [nach] {x}',
  ],
  'make calls or send text messages': [
    '(call|phone|ring|text|sms) {x}',
    '(call|phone|ring) my {x}',
    'text {x} that {x}',
    'send [a] (text|sms) to {x}',
    '(ruf|rufe) {x} an',
    'post {x} on (twitter|facebook|instagram|linkedin)',
    '(tweet|share) {x}',
  ],
  'play music or run your home': [
    '(play|stop|pause|skip) [some|the|my] (music|song|radio|playlist|video|film|movie)',
    '(turn|switch) (on|off) the {x}',
    '(turn|switch) the {x} (on|off)',
    '(dim|lock|open|close) the (lights|light|door|window|blinds|heating)',
    '(set|start) (a|an) (timer|alarm|stopwatch) [for] {when}',
    'wake me [up] at {when}',
    'navigate [me] [to] {x}',
    'take a (photo|picture|screenshot)',
    'spiel [etwas] musik',
    'mach das licht (an|aus)',
  ],
  'look things up on my own': [
    'who (is|was) [the] {x} [of] {x}',
    '(google|search the web for|look up) {x}',
    'whats the (news|score|capital of {x}|price of {x}|time in {x}|population of {x})',
    '(how|why) (far|tall|big|old|high|long|much) is {x}',
    'how (far|long) is it to {x}',
    '(stock|share) price of {x}',
    'find [me] a [good] (restaurant|doctor|plumber|cafe|bar|shop) [in|near] {x}',
    'is the {x} open [on] {when}',
    'when does the (train|bus|shop|store|flight) (leave|open|close|go|arrive)',
    'directions to {x}',
    '(which|what) (movie|film|book|song|phone|car) should i (watch|read|buy|get)',
    '(a|give me a) recipe for {x}',
    'where is {x}',
    'what is {x}',
    'how do i {x}',
    'wer ist {x}',
  ],
  'write, translate or calculate without a model': [
    '(translate|convert) {x} [to|into] {x}',
    'whats {number} (times|plus|minus|divided by) {number}',
    '(tell|give) me a (joke|story|riddle|fact)',
    '(write|draft|compose) [me] (a|an|the) (poem|story|essay|song|contract|letter|speech|report) [about|for] {x}',
    '(calculate|solve|compute) {x}',
    '(explain|define) {x}',
    'what is the (meaning|point|purpose|capital|population|height|history) of {x}',
    'what do you think (about|of) {x}',
    'fix my {x}',
    'whats wrong with my {x}',
    'erzähl mir (einen witz|eine geschichte)',
    'übersetze {x}',
  ],
  'move money': [
    '(transfer|send|pay) {number} (euro|euros|dollars|pounds) to {x}',
    'pay [the|my] {x}',
    '(überweise|zahle) {x}',
  ],
  'do something again and again': [
    '{x} (every|each) {x} [at {when}]',
    '(every|each) {x} {x}',
    '{x} (daily|weekly|monthly|weekdays)',
    '(check|show|tell|send|read|give|add|book|remind) [me] [the|my] {x} (every|each) {x}',
    '(check|show|tell|send|read|give) [me] [the|my] {x} (every|each) {when}',
    '(check|show|tell|send|give|add|book|remind) [me] [the|my] {x} (daily|weekly|monthly)',
    '(jeden|jede|jedes) {x} {x}',
  ],
  'forward mail': ['forward (the|that|this) (mail|email|message) [from {x}] to {x}', 'forward it [to {x}]'],
  'make a contact of that; say "add Sarah, sarah@example.com, to my contacts"': [
    '(remove|delete|add|save) {x} (from|to|in|as) (my|the) (contacts|contact|address book)',
    'add a contact [named|called] {x}',
    'change the (number|address) of {x}',
  ],
  'forget everything at once': [
    'forget everything',
    'delete your memory',
    'forget all [of it|that you know]',
  ],
  nothing: [
    ...[
      '{x}',
      '{x} {x}',
      '{x} {number}',
      'maybe',
      'why',
      'and then',
      'do it',
      'do {x}',
      'do the {x}',
      'i have a {x}',
      'i am {x}',
      'yes',
      'no',
    ],
    ...[
      'what happens if i {x}',
      '(dont|do not|never) {x}',
      '(dont|do not|never) (check|book|read|add|delete|remember|show) {x}',
      'i never said {x}',
    ],
    ...[
      'is it wise to {x}',
      'should i {x}',
      'he said {x}',
      '{x} wrote {x}',
      'if {x} {x}',
      'did it {x} {when}',
      'why did you {x}',
      'the {x} is {x}',
    ],
    ...[
      'my {x} is {x}',
      '{x} is {x}',
      'i like {x}',
      'we {x} {when}',
      'what about {x}',
      'and {x}',
      'tell {x} to {x}',
      '{x} {x} because {x}',
    ],
  ],
}

/** What people leave out: a meal or a call with somebody, at a time of day, is to be booked. */
export const IMPLIED: readonly (readonly [pattern: RegExp, verb: string])[] = [
  [
    /^(?:an? )?(?:breakfast|brunch|lunch|dinner|supper|drinks?|coffee|call|meeting) with [^?!;]{1,60}?(?:\b\d{1,2}[:.]\d\d|\b\d{1,2} ?[ap]m\b|\bat \d{1,2}\b|\bnoon\b)[^?!;]{0,30}$/i,
    'book',
  ],
]
