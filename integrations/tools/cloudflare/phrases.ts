/** Phrases of requests about Cloudflare, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'
import { CLOUDFLARE_TYPED } from './typed.ts'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

const NAME = '(?:[A-Za-z0-9_*][A-Za-z0-9_-]{0,62}\\.){1,10}[A-Za-z][A-Za-z0-9-]{1,62}'

export const CLOUDFLARE_PHRASES: Phrases = {
  typed: CLOUDFLARE_TYPED,
  shapes: {
    host: { pattern: NAME, example: 'www.example.com' },
    value: { pattern: '[A-Za-z0-9_*][A-Za-z0-9:._-]{1,252}', example: '203.0.113.7' },
    worker: { pattern: '[A-Za-z0-9][A-Za-z0-9_-]{0,62}', example: 'my-site' },
  },
  lists: {
    en: {
      look: words('show / show me / list / list me / get / get me / check / what are / which are / look at'),
      zones: words('zones / domains / zone / sites'),
      records: words('DNS records / DNS record / DNS entries / DNS / name records'),
      at_it: words('at Cloudflare / on Cloudflare / in Cloudflare / with Cloudflare'),
      tunnel: words(
        'Cloudflare tunnel / Cloudflare tunnels / cloudflared / tunnel at Cloudflare / tunnels at Cloudflare',
      ),
      up: words('up / down / running / healthy / connected'),
    },
    de: {
      look: words('zeig / zeige / zeig mir / zeige mir / liste'),
      records: words('DNS-Einträge / DNS Einträge / DNS'),
      at_it: words('bei Cloudflare / auf Cloudflare / in Cloudflare'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [my|the|all] (Cloudflare <zones>|<zones> <at_it>)',
          '(which|what) <zones> (do I have|have I got|are there) <at_it>',
        ],
        de: [
          '(welche|was für) (Domains|Zonen) habe ich <at_it>',
          '<look> [meine] (Cloudflare-Domains|Domains <at_it>)',
        ],
      },
      plan: step('cloudflare.zones', {}),
    },
    {
      addressed: true,
      says: {
        en: [
          '[<look>] [my|the|all] <records> (of|for|from|in|on) {host} [<at_it>]',
          '(what|which) <records> (does|has) {host} [have|got] [<at_it>]',
          '<look> [the] {host} <records>',
        ],
        de: ['[<look>] <records> (von|für) {host}', 'welche <records> hat {host}'],
      },
      plan: step('cloudflare.dns_list', { name: '{host}' }),
    },
    {
      says: {
        en: [
          '(is|are) [my|the] <tunnel> [still] <up>',
          '[<look>] [my|the] <tunnel> [status|state]',
          '(how is|how are) [my|the] <tunnel> [doing]',
        ],
        de: [
          '(läuft|laufen|steht|stehen) [mein|meine|der|die] (Cloudflare-Tunnel|Cloudflare Tunnel) [noch]',
          '<look> [meine|die] (Cloudflare-Tunnel|Cloudflare Tunnel)',
        ],
      },
      plan: step('cloudflare.tunnel_status', {}),
    },
    {
      says: {
        en: [
          'how often (was|is) [my|the] [Cloudflare] Worker {worker} (called|asked) [today]',
          '[<look>] [the] Cloudflare (analytics|usage|figures|metrics) (of|for) [my|the] [Worker] {worker}',
          '[<look>] [the] (analytics|usage|figures|metrics) (of|for) [my|the] [Cloudflare] Worker {worker} [<at_it>]',
        ],
        de: ['wie (viele Anfragen|oft) (hatte|wurde) [mein|der] [Cloudflare] Worker {worker} [aufgerufen]'],
      },
      plan: step('cloudflare.worker_usage', { worker: '{worker}' }),
    },
    {
      addressed: true,
      says: {
        en: [
          '(point|set|change|switch|move) [the|my] [DNS|DNS record|record|DNS entry] [of|for] {host} (to|at) {value}',
          '(point|set|change|switch|update) [the|my] {host} [DNS|record|DNS record] (to|at) {value} [<at_it>]',
          '(set|change|update) [the|my] (A|AAAA|CNAME) record (of|for) {host} to {value}',
        ],
        de: [
          '(ändere|setz|setze|stell|stelle) [den] [DNS-Eintrag|DNS Eintrag|DNS] [von|für] {host} auf {value}',
          '(leite|richte) {host} auf {value}',
        ],
      },
      plan: step('cloudflare.dns_update', { name: '{host}', to: '{value}' }),
    },
  ],
}
