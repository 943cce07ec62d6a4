CREATE TABLE `model_usage` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`day` text NOT NULL,
	`task` text,
	`principal` text,
	`template` text,
	`purpose` text NOT NULL,
	`model` text NOT NULL,
	`metered` integer NOT NULL,
	`state` text NOT NULL,
	`input` integer NOT NULL,
	`output` integer NOT NULL,
	`cache_read` integer DEFAULT 0 NOT NULL,
	`cache_written` integer DEFAULT 0 NOT NULL,
	`cost` integer
);
--> statement-breakpoint
CREATE INDEX `model_usage_day` ON `model_usage` (`day`);--> statement-breakpoint
CREATE INDEX `model_usage_task` ON `model_usage` (`task`);