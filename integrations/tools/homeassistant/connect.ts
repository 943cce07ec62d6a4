/**
 * How the owner gets a token of Home Assistant: pages and boxes, by their names there (L-12; written from its public documentation; not checked against its
 * pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const HOMEASSISTANT_CONNECT: ConnectSpec = Object.freeze({
  title: 'Home Assistant',
  where:
    'First say at a terminal where yours is, such as `pfar connect homeassistant http://192.168.1.20:8123`, and start home again. Then give me a long-lived access token of your installation: your profile there, Security, Long-lived access tokens.',
  shape: '[A-Za-z0-9_-]{10,2000}\\.[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,2000}',
  steps: [
    '1. Open Home Assistant in a browser, and in it your profile: your name, at the bottom of the sidebar.',
    '2. Security, Long-lived access tokens, Create token: a name such as pfar. It is shown once.',
    '3. Paste it here. It could switch things, too; I only read: states, areas and history. What measures a body is left out.',
  ],
  says: 'how warm is the bedroom?',
  called: ['home assistant', 'homeassistant', 'hass', 'smart home'],
})
