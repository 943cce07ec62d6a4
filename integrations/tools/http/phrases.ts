/** Phrases of requests to web services, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

function sending(method: string, body: boolean) {
  const args = { method, url: '{address}', ...(body && { body: '{topic}' }) }
  return [{ id: 's1', do: 'tool', tool: 'http.send', args }] as const
}

export const HTTP_PHRASES: Phrases = {
  lists: {
    en: {
      ask: words(`
        what is / what's / whats / what are / what does / how is / how's / how are / how much is / how many are / tell me / give me / show / show me
        get / get me / check / run / fetch / look up / ask for / read / can you check / could you check / do you know
      `),
      mine: words('the / my / our / the current / the latest / the newest / my current'),
      now: words('now / right now / just now / at the moment / currently / today / please / say / like'),
      requests: words('saved requests / saved request / requests I saved / saved API calls / saved calls'),
    },
    de: {
      ask: words(
        'wie ist / was ist / wie sind / was sind / zeig / zeig mir / zeige / zeige mir / sag mir / nenn mir / prüf / prüfe / hol / gib mir',
      ),
      mine: words('der / die / das / den / mein / meine / meinen / aktuelle'),
      now: words('jetzt / gerade / im Moment / aktuell / bitte / heute'),
      requests: words('gespeicherte Anfragen / gespeicherten Anfragen'),
    },
  },
  called: {
    tool: 'http.saved',
    says: {
      en: ['[<ask>] [<mine>] {name} [<now>]', '[<ask>] [<mine>] {name} (request|value|reading) [<now>]'],
      de: ['[<ask>] [<mine>] {name} [<now>]'],
    },
  },
  asks: [
    {
      says: {
        en: [
          '[show|show me|list|list me|what are|which are] [my|the|all my] <requests>',
          '(what|which) <requests> (do I have|have I got|are there)',
          '(what|which) (requests|API calls) (did I save|have I saved)',
        ],
        de: ['(zeig|zeige|liste) [mir] [meine] <requests>', 'welche <requests> habe ich'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'http.requests', args: {} }],
    },
    {
      addressed: true,
      says: {
        en: [
          '(curl|call|query|poll|request|ping) [the|this] [API|endpoint|service|web service] [at] {address}',
          '(do|make|send) (a GET|a GET request|an HTTP request|an API call) to {address}',
        ],
        de: ['(ruf|rufe) [die] [API|Schnittstelle] {address} [auf|ab]'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'http.request', args: { url: '{address}' } }],
    },
    {
      addressed: true,
      says: {
        en: [
          '(who may know|who may read) what [I] send to {address}',
          'how (did I label|is) the host [of] {address} [labelled|labeled]',
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'http.host', args: { url: '{address}' } }],
    },
    ...(['POST', 'PUT', 'PATCH'] as const).map((method) => ({
      addressed: true as const,
      says: {
        en: [
          `(${method}|send a ${method}|make a ${method}|do a ${method}|send a ${method} request|HTTP ${method}) [to] {address} (with body|with the body|body) {topic}`,
        ],
      },
      plan: sending(method, true),
    })),
    {
      addressed: true,
      says: {
        en: ['(send|make|do) (a DELETE|a DELETE request) (to|on) {address}', 'HTTP DELETE {address}'],
      },
      plan: sending('DELETE', false),
    },
    {
      addressed: true,
      says: {
        en: [
          '(send|make|do) (a POST|a POST request|an empty POST) (to|on) {address}',
          'HTTP POST [to] {address}',
        ],
      },
      plan: sending('POST', false),
    },
  ],
}
