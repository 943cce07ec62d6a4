/** Further typed requests about Cloudflare, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'cloudflare.zones': {
    en: [
      '[show|list] [me] [my] cloudflare (zones|domains)',
      '(which|what) (zones|domains) (do i have|are there) (at|on|in) cloudflare',
    ],
    de: ['(welche|zeig meine) (domains|zonen) [habe ich] (bei|auf) cloudflare'],
  },
  'cloudflare.tunnel_status': {
    en: [
      '(is|are) [my] cloudflare (tunnel|tunnels) (up|down|running|ok)',
      '[my] cloudflare (tunnel|tunnels) [status]',
    ],
    de: ['(läuft|steht) [mein] cloudflare tunnel', 'cloudflare tunnel status'],
  },
} as const
