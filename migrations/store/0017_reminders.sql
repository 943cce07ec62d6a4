CREATE TABLE `reminder_numbers` (
	`principal` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`number` integer NOT NULL,
	`kind` text NOT NULL,
	`sink` text NOT NULL,
	`ref` text NOT NULL,
	`due` integer,
	`repeat` text,
	`state` text NOT NULL,
	`fired_at` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reminders_number` ON `reminders` (`principal`,`number`);--> statement-breakpoint
CREATE INDEX `reminders_due` ON `reminders` (`due`) WHERE state = 'open' and due is not null;