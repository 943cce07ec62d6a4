/**
 * Where Slack renews a token that rotates, and how its owner types the three values of such a grant
 * (https://docs.slack.dev/authentication/using-token-rotation, looked up 2026-11). Data only. Listed in ../rotating-services.ts.
 */
import type { RotatingService } from '../oauth-service.ts'
import { HOST } from './manifest.ts'

const PATH = '/api/oauth.v2.access'

export const SLACK_ROTATION: RotatingService = Object.freeze({
  service: 'slack-account',
  token: `https://${HOST}${PATH}`,
  path: PATH,
  // Client ID, client secret, refresh token, as Slack's pages show them.
  typed:
    /^\s*(?<id>\d{5,20}\.\d{5,20})[\s,;]+(?<secret>[0-9a-f]{32})[\s,;]+(?<refresh>xoxe-[\w-]{10,500})\s*$/,
})
