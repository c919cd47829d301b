import { QueryDefinition, QueryString } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";

/** What people ask the logs of a job, by the query's name. The fields are those of the lines that every run writes. */
const queries: Readonly<Record<string, QueryString>> = {
  "Failed attempts": new QueryString({
    fields: ["@timestamp", "job", "runId", "attempt", "message", "failure.name", "failure.message"],
    filterStatements: ['level = "ERROR" and ispresent(runId)'],
    sort: "@timestamp desc",
    limit: 100,
  }),
  "One run": new QueryString({
    fields: ["@timestamp", "level", "attempt", "message", "@message"],
    filterStatements: ['runId = "put the run\'s id here"'],
    sort: "@timestamp asc",
    limit: 1000,
  }),
  "Slowest attempts": new QueryString({
    fields: ["@timestamp", "job", "runId", "attempt", "durationMs", "status"],
    filterStatements: ["ispresent(durationMs)"],
    sort: "durationMs desc",
    limit: 50,
  }),
  "Skipped occurrences": new QueryString({
    fields: ["@timestamp", "job", "runId", "reason", "heldBy"],
    filterStatements: ["ispresent(reason)"],
    sort: "@timestamp desc",
    limit: 100,
  }),
};

/** Saves the queries under the fleet's name, in CloudWatch Logs Insights; who runs one chooses the log groups. */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, fleetName: string) {
    super(scope, id);
    for (const [name, queryString] of Object.entries(queries)) {
      new QueryDefinition(this, name.replaceAll(" ", ""), {
        queryDefinitionName: `${fleetName}/${name}`,
        queryString,
      });
    }
  }
}
