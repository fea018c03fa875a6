// The runner of the Kotlin client: plays the scenarios and writes a report.
package chitarrella.conformance

import chitarrella.coroutines.Chitarrella
import com.google.gson.GsonBuilder
import com.google.gson.JsonParser
import io.grpc.TlsChannelCredentials
import java.io.File
import java.net.Socket
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Runs the examples of the README and plays all scenarios, with the flags of the conformance run. */
fun main(args: Array<String>) {
    val flags = args.toList().chunked(2).associate { (name, value) -> name.removePrefix("--") to value }

    fun flag(name: String): String = requireNotNull(flags[name]) { "--$name is needed" }

    example("ExampleKt", flag("grpc"))
    example("LegalMovesExampleKt", flag("grpc"))
    val environment =
        Environment(
            { cut(flag("cut")) },
            { connectTls(flag("tls"), flag("ca")) },
            { Chitarrella(flag("platform"), apiKey = flag("api-key")) },
        )
    val scenarios = File(flag("scenarios")).listFiles { file -> file.extension == "json" }.orEmpty().sorted()
    val results =
        scenarios.associate { file ->
            val scenario = JsonParser.parseString(file.readText()).asJsonObject
            val steps = scenario["steps"].asJsonArray.map { it.asJsonObject }
            scenario["name"].asString to
                ScenarioPlayer(Chitarrella(flag("grpc")), environment).use { player ->
                    runBlocking { player.run(steps) }
                }
        }
    val json = GsonBuilder().serializeNulls().disableHtmlEscaping().create()
    File(flag("report")).writeText(json.toJson(mapOf("client" to "kotlin", "results" to results)))
}

/** What a scenario needs besides its client: cut all connections, connect over TLS, connect with an API key. */
class Environment(
    val cut: suspend () -> Unit,
    val connectTls: () -> Chitarrella,
    val connectPlatform: () -> Chitarrella,
)

private suspend fun cut(address: String) =
    withContext(Dispatchers.IO) {
        Socket(address.substringBeforeLast(":"), address.substringAfterLast(":").toInt()).use {
            it.getInputStream().readAllBytes() // closed when everything is cut
        }
        Unit
    }

private fun connectTls(address: String, ca: String): Chitarrella {
    val credentials = TlsChannelCredentials.newBuilder().trustManager(File(ca)).build()
    return Chitarrella(address, tls = credentials)
}

/** Runs an example of the README, which the build has compiled. */
private fun example(name: String, address: String) {
    val main = Class.forName(name).getMethod("main", Array<String>::class.java)
    main.invoke(null, arrayOf(address))
}
