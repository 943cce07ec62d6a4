/** More ways in which people type requests about the calendar, for the embedded planner. Data only. Called by phrases.ts. */

const DIARY = '(calendar|agenda|schedule|diary)'
const THINGS = '(meetings|appointments|events|plans|anything|something)'

export const CALENDAR_TYPED = {
  'calendar.delete_event#2': {
    en: [
      '(cancel|call off) [my|the] {what}',
      '(cancel|call off|delete|remove|drop) [my|the] {what} {when}',
      '(cancel|call off) [my|the] (meeting|appointment|call|lunch|dinner|event|dentist)',
      '(delete|remove|take) [my|the] {what} (from|off) (my|the) (calendar|agenda|schedule|diary)',
    ],
    de: [
      '(sag|sage) [den|die|das|mein|meinen|meine] {what} [{when}] ab',
      '(lösche|streiche) [den|die|das] {what} {when}',
    ],
  },
  'calendar.list_events': {
    en: [
      '(when|what time|where) is my [next] {what} [with {who}]',
      '(when|what time) does [my|the] {what} (start|begin|take place|end)',
      '(when|what time) is the [next] {what} [with {who}]',
      '(when|what time|where) do i (meet|see) {who}',
      'when am i (meeting|seeing) {who}',
      '[whats|what is|when is] [my] next (meeting|appointment|event|call)',
      'when is my next (meeting|appointment|event|call)',
    ],
    de: [
      'wann ist mein [nächster] (termin|zahnarzttermin|arzttermin)',
      'wann (treffe|sehe) ich {who}',
      '[mein] nächster termin',
    ],
  },
  'calendar.list_events#2': {
    en: [
      '(whats|what is) [on] [my] [calendar|agenda|schedule] {when}',
      '(whats|what is|hows|how is) my {when} [looking|look] [like]',
      '(whats|what is) (on|up|happening|planned|scheduled|going on|coming up) [on|for] {when}',
      '(what do i have|what have i got|what am i doing|what am i up to) [on|planned] {when} [left]',
      'what (is|does) {when} look like',
      '(how|what) does [my] {when} look [like]',
      'how is {when} looking',
      `(any|do i have|have i got|am i having|are there) [any] ${THINGS} [on|planned|for] {when}`,
      `(anything|something) [planned|scheduled|on|happening] [on|for] {when}`,
      `[my|the] ${DIARY} [for|on] {when}`,
      `${THINGS} [on|for] {when}`,
      `{when} ${DIARY}`,
      '{when}',
      `(show|tell|give|read|check|list|see|view|open) [me] [my|the] ${DIARY} [for|on] {when}`,
      '(show|tell|give) me {when}',
      'am i (doing|having) (anything|something) [on] {when}',
      'is {when} (busy|full|packed)',
      'do i have to (be|go) (anywhere|somewhere) {when}',
      'what (appointments|meetings|events) do i have [left] [on] {when}',
      '(first|last) (meeting|appointment|event) [on] {when}',
      'who am i (seeing|meeting) [on] {when}',
      'do we have (plans|anything) [on] {when}',
      '{when} overview',
      '(overview|summary) of {when}',
      `[my] ${DIARY}`,
      '(how|what) does my (day|week) look [like]',
    ],
    de: [
      'was steht [{when}] [bei mir] an',
      'was (habe|hab|mache) ich [denn] {when} [vor]',
      '(was ist|was gibt es) {when} [los]',
      '[meine] termine [am|für] {when}',
      '(zeig|zeige) [mir] meinen kalender [für|am] {when}',
      '(habe|hab) ich {when} [einen|etwas|was] (termin|termine|vor)',
    ],
  },
  'calendar.freebusy': {
    en: [
      '(free|available) [on] {when}',
      '(am i|are we|will i be) (free|available|busy|around) [on|at] {when}',
      '(do i have|have i got|do we have) [any|some|enough] [free] time [on] {when}',
      'when (could|can) i (fit|do|squeeze in|have) [in] a (call|meeting|coffee) [on] {when}',
      '(find|show|give) me (a|some|an) (free|open|spare) (hour|slot|time) [on|in] {when}',
      '(any|are there) [free] (gaps|slots|openings) [on] {when}',
      '(could|can) i (do|make) {when}',
      'is {when} (free|open|available)',
      'when (can|could) (i|we) (meet|see|talk|call) [{who}] [on] {when}',
      'whats my availability [on] {when}',
      'when am i free [on] {when}',
    ],
    de: [
      'bin ich [am] {when} (frei|verfügbar)',
      '(habe|hab) ich {when} [noch] zeit',
      'wann (habe|hab) ich {when} zeit',
      'wann bin ich {when} frei',
    ],
  },
  'calendar.create_event': {
    en: [
      '{what} {when}',
      '{what} [on] {when} [at] {when}',
      '(add|put|enter|create|schedule|book|make|set up|pencil in|block|plan|arrange) [in] [a|an|the|my] {what} [on|for|at] {when}',
      `(add|put|enter) {what} [on|for|at] {when} (to|in|into|on) [my|the] ${DIARY}`,
      `(add|put|enter) {what} (to|in|into|on) [my|the] ${DIARY} [on|for|at] {when}`,
      `(add|put|enter) (to|in|into|on) my ${DIARY} {what} {when}`,
      '(new|create|create a|create an|make an|make a) (event|appointment|meeting|entry) [for|called] {what} [on] {when}',
      `${DIARY} {what} {when}`,
      `(i have|im having|ive got|i am having|we have|were having) [a|an|the] {what} [on|at] {when} (add it|put it in [my ${DIARY}]|put that in [my ${DIARY}])`,
      `[on] {when} (i have|im having|ive got) [a|an|the] {what} (add it|put it in [my ${DIARY}])`,
    ],
    de: [
      '(trag|trage|trag mir) [bitte] {what} {when} [in den kalender] ein',
      '(buche|plane|plan) [mir] {what} {when}',
      'neuer termin {what} {when}',
      '{what} {when} (eintragen|in den kalender)',
    ],
  },
} as const
