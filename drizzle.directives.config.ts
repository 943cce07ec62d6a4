/** Where drizzle-kit finds the schemas of home's own tables, directive files, notes and the private lines at Telegram and Slack, and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './sidecar/store/home-schema.ts',
    './integrations/channels/telegram/home-store.ts',
    './integrations/channels/slack/home-schema.ts',
  ],
  out: './migrations/directives',
})
