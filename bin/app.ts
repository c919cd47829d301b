import { App } from "aws-cdk-lib";
import { AttributeType, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { exitWithError, loadJobs, ScheduledFunctionsStack } from "escapement/infra";

try {
  await defineApp();
} catch (error) {
  exitWithError(error);
}

/** The CDK app: the jobs in `functions/`, and the tables that they work on. `-c stage=prod` chooses another stage. */
async function defineApp(): Promise<void> {
  const app = new App();
  const stage: string = app.node.tryGetContext("stage") ?? "dev";
  const stack = new ScheduledFunctionsStack(app, `Escapement-${stage}`, { stage, jobs: await loadJobs("functions") });

  const exchangeRates = createTable(stack, "ExchangeRates");
  const syncExchangeRates = stack.fleet.job("sync-exchange-rates");
  syncExchangeRates.addEnvironment("EXCHANGE_RATES_TABLE", exchangeRates.tableName);
  exchangeRates.grantWriteData(syncExchangeRates);

  const orders = createTable(stack, "Orders");
  const businessDays = createTable(stack, "BusinessDays");
  const closeBusinessDay = stack.fleet.job("close-business-day");
  closeBusinessDay.addEnvironment("ORDERS_TABLE", orders.tableName);
  closeBusinessDay.addEnvironment("BUSINESS_DAYS_TABLE", businessDays.tableName);
  orders.grantReadData(closeBusinessDay);
  businessDays.grantWriteData(closeBusinessDay);

  const balances = createTable(stack, "Balances");
  const payCommissions = stack.fleet.job("pay-commissions");
  payCommissions.addEnvironment("ORDERS_TABLE", orders.tableName);
  payCommissions.addEnvironment("BALANCES_TABLE", balances.tableName);
  orders.grantReadData(payCommissions);
  balances.grantWriteData(payCommissions);

  const catalog = createTable(stack, "Catalog");
  const searchIndex = createTable(stack, "SearchIndex");
  const rebuildSearchIndex = stack.fleet.job("rebuild-search-index");
  rebuildSearchIndex.addEnvironment("CATALOG_TABLE", catalog.tableName);
  rebuildSearchIndex.addEnvironment("SEARCH_INDEX_TABLE", searchIndex.tableName);
  catalog.grantReadData(rebuildSearchIndex);
  searchIndex.grantWriteData(rebuildSearchIndex);
}

function createTable(stack: ScheduledFunctionsStack, id: string): TableV2 {
  return new TableV2(stack, id, {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    sortKey: { name: "sk", type: AttributeType.STRING },
    timeToLiveAttribute: "ttl",
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: stack.removalPolicy,
  });
}
